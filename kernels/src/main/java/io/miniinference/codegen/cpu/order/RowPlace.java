package io.miniinference.codegen.cpu.order;

import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.ir.Expr;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Text that finds the first place of a row's extreme, the `result` that its vectors were combined
/// to, from pointer `in` on. A NaN is an extreme, and equal to none: where the result is one, the
/// first of the row is found.
///
/// @param map what is compared, over an element of the row
/// @param step elements from a vector of the row to the next
/// @param vectors text of how many whole ones there are
/// @param left text of how many elements are behind them
public record RowPlace(Expr map, long step, String vectors, String left) {
  /// The variable that the place is in.
  public static final String NAME = "best";

  private static final int SEVERAL = 4;

  private static final Template FIND =
      Template.of(
          "place of an extreme",
          """
          long best;
          {
            const float16 r = @splat(16, result);
            long at = 0;
            for (; at + 4 <= $vectors; at += 4) {
              $values
              if (@any($several)) break;
            }
            for (; at < $vectors; at++) {
              $value
              if (@any($one)) break;
            }
            float last[16] = {0};
            const int count = at < $vectors ? 16 : $left;
            for (int j = 0; j < count; j++) last[j] = in[at * $step + j];
            $last
            @store(16, z0, 0, last);
            int j = 0;
            while (j + 1 < count && last[j] != result && last[j] == last[j]) j++;
            best = at * 16 + j;
          }
          """);

  private static final Template VALUE =
      Template.of(
          "value of a vector",
          """
          float16 z$number;
          {
            const float16 x = $load;
            $statements
            z$number = $value;
          }
          """);

  private static final Template EQUAL =
      Template.of("extreme or NaN", "((z$number == r) | (z$number != z$number))");

  /// The statements.
  public String text() {
    String values =
        IntStream.range(0, SEVERAL)
            .mapToObj(i -> value(i, loaded("at + " + i)))
            .collect(Collectors.joining("\n"));
    String several =
        IntStream.range(0, SEVERAL)
            .mapToObj(i -> EQUAL.with("number", i).text())
            .collect(Collectors.joining(" | "));
    return FIND.with("vectors", vectors)
        .with("left", left)
        .with("step", step + "L")
        .with("values", values)
        .with("several", several)
        .with("value", value(0, loaded("at")))
        .with("one", EQUAL.with("number", 0))
        .with("last", value(0, "@load(16, 0, last)"))
        .text();
  }

  private String loaded(String vector) {
    return "@load(16, 0, in + (%s) * %dL)".formatted(vector, step);
  }

  private String value(int number, String load) {
    VectorText.Written value = VectorText.write(map, _ -> "x");
    return value.statements().isEmpty()
        ? "const float16 z%d = %s;".formatted(number, VectorText.write(map, _ -> load).value())
        : VALUE
            .with("number", number)
            .with("load", load)
            .with("statements", value.statements())
            .with("value", value.value())
            .text();
  }
}
