package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneRow;
import io.miniinference.codegen.cpu.lanes.RowLength;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Softmax and normalisation of rows, sixteen neighbours at a time. Where the operand is gathered
/// after all, rows are walked one element after the other ([RowKernels]).
///
/// @param axes how many last axes a row is, those of an image for example
record RowVectors(int axes) implements CpuStrategy.Several {
  @Override
  public Algorithm algorithm(LoweredStep step) {
    return canUse(step)
        ? Algorithm.of("rows, 16 neighbours at a time")
        : Algorithm.plain("its operand is gathered element by element");
  }

  /// Whether a node is of this kind, however its arrays lie.
  static boolean fits(Node node, Op.RowMap op) {
    TensorType x = node.inputs().getFirst().type();
    Expr epilogue = node.epilogue();
    int axes = op.rowAxes().size();
    return RowLength.areLast(op.rowAxes(), x.rank())
        && row(x.shape(), axes).stream().allMatch(Affine::isConstant)
        && RowLength.of(x.shape(), axes).elements().typical() >= VectorText.LANES / 2
        && node.inputs().stream().allMatch(v -> v.type().element() == ElementType.F32)
        && node.output().type().element() == ElementType.F32
        && (epilogue == null || VectorText.supports(epilogue))
        && node.epilogueValues().stream().allMatch(v -> isRow(v, row(x.shape(), axes)));
  }

  /* The last sizes of a shape. */
  private static List<Affine> row(List<Affine> shape, int axes) {
    return shape.subList(Math.max(0, shape.size() - axes), shape.size());
  }

  private static boolean isRow(Value value, List<Affine> row) {
    List<Affine> shape = value.type().shape();
    return LaneRow.isOne(shape, row.size()) || row(shape, row.size()).equals(row);
  }

  /// Whether an operand lies so that it is read as it lies.
  ///
  /// @param index how an input of such a node lies
  boolean lies(Node node, int input, IndexFunction index) {
    return LaneRow.isOne(node.inputs().get(input).type().shape(), axes)
        || LaneRow.suits(index, axes);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return step.gathered() != null || suits(step);
  }

  private boolean suits(LoweredStep step) {
    boolean inputs =
        IntStream.range(0, step.node().inputs().size())
            .allMatch(i -> lies(step.node(), i, step.inputs().get(i).index()));
    return inputs && LaneRow.suits(step.output().index(), axes);
  }

  private boolean canUse(LoweredStep step) {
    return step.gathered() == null && suits(step);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    boolean vectors = canUse(step);
    return List.of(
        switch ((Op.RowMap) step.node().op()) {
          case Op.Softmax op ->
              vectors
                  ? new Writer(step, axes).softmax(op.log())
                  : RowKernels.softmax(step, op, failures);
          case Op.Normalize op ->
              vectors
                  ? new Writer(step, axes).normalize(op)
                  : RowKernels.normalize(step, op, failures);
        });
  }

  /// The text of one kernel.
  private static final class Writer {
    /// Elements below which a second worker costs more than it saves.
    private static final long GRAIN_ELEMENTS = 8192;

    /// Elements from which on a row has several sums.
    private static final long LONG = 256;

    private static final String HEAD =
        """
        A work item owns a row, and goes over it a few times, sixteen neighbours at a time: once to find what the whole
        row decides (maximum, sum, mean) and once to store. A row stays in the cache between the walks. What is left
        behind the last whole vector is kept in an array of its own.
        """;

    private static final Template LOOP =
        Template.of(
            "vectors of a row",
            """
            for (long v = 0; v < $vectors; v++) {
              $body
            }
            """);

    /* Of a long row there are four sums, so that one addition does not wait for the one before. */
    private static final Template FOUR_SUMS =
        Template.of(
            "sums of a long row",
            """
            {
              float16 sum1 = $sum, sum2 = $sum, sum3 = $sum;
              long v = 0;
              for (; v + 4 <= $vectors; v += 4) {
                $four
              }
              for (; v < $vectors; v++) {
                $one
              }
              $sum = ($sum + sum1) + (sum2 + sum3);
            }
            """);

    private static final Template ADDED =
        Template.of("vector of a row, added", "{ const float16 x = $x; $sum = $added; }");

    private static final Template REST =
        Template.of(
            "rest of a row",
            """
            float rest[16];
            for (int j = 0; j < 16; j++) rest[j] = j < $left ? ($from)[j] : $pad;
            """);

    /* Adds up or compares the lanes of a vector, in halves. */
    private static final Template ACROSS =
        Template.of(
            "across lanes",
            """
            float $name;
            {
              float lanes[16];
              @store(16, $vector, 0, lanes);
              for (int width = 8; width > 0; width /= 2)
                for (int j = 0; j < width; j++) lanes[j] = $combined;
              $name = lanes[0];
            }
            """);

    private static final Template SOFTMAX =
        Template.of(
            "softmax in vectors",
            """
            $starts
            $rest
            float16 most = @splat(16, -INFINITY);
            $most
            $highest
            float16 total = @splat(16, 0.0f);
            $total
            $sum
            const float16 scale = @splat(16, $scale);
            $store
            """);

    private static final Template NORMALIZE =
        Template.of(
            "normalisation in vectors",
            """
            $starts
            $rest
            $mean
            float16 squared = @splat(16, 0.0f);
            $squared
            $squares
            const float16 scale = @splat(16, 1 / sqrt(squares / (float)$columns + $epsilon));
            $store
            """);

    private static final Template MEAN =
        Template.of(
            "mean in vectors",
            """
            float16 total = @splat(16, 0.0f);
            $total
            $sum
            const float mean = sum / (float)$columns;
            """);

    private static final Template STORE =
        Template.of(
            "vector of a row",
            """
            {
              const float16 raw = $raw;
              $statements
              @store(16, $value, 0, $place);
            }
            """);

    private static final Template STORE_REST =
        Template.of(
            "rest of a row, stored",
            """
            {
              const float16 raw = $raw;
              $loads
              float z[16];
              @store(16, $value, 0, z);
              @global float* out = $place;
              for (int j = 0; j < $left; j++) out[j] = z[j];
            }
            """);

    private static final Template EXTRA =
        Template.of(
            "rest of an operand",
            """
            float rest$number[16] = {0};
            for (int j = 0; j < $left; j++) rest$number[j] = ($from)[j];
            """);

    private final LoweredStep step;
    private final StepText s;
    private final Rows rows;
    private final int axes;
    private final List<Affine> shape;
    private final List<Coordinate> at;
    private final LaneRow operand;
    private final LaneRow result;
    private final RowLength length;

    Writer(LoweredStep step, int axes) {
      this.step = step;
      this.axes = axes;
      s = new StepText(step, 1);
      s.text().head(HEAD);
      shape = step.node().output().type().shape();
      length = RowLength.of(shape, axes);
      rows = new Rows(shape, IntStream.range(shape.size() - axes, shape.size()).boxed().toList());
      at = rows.coordinates();
      operand = row(0);
      result = new LaneRow(s.output(), step.output().index(), shape, axes);
    }

    private LaneRow row(int input) {
      return new LaneRow(
          s.pointer(input),
          step.inputs().get(input).index(),
          step.node().inputs().get(input).type().shape(),
          axes);
    }

    /* Number of the vector that the rest is. */
    private String behindWhole() {
      return length.elements().isOpen() ? length.vectors() : length.vectors() + "L";
    }

    KernelText.Written softmax(boolean log) {
      String exp = "weight_float16(x - @splat(16, highest))";
      String sum = log ? "total += " + exp + ";" : "";
      String kept = "const float16 e = " + exp + "; total += e; @store(16, e, 0, " + to("v") + ");";
      String keptRest = "const float16 e = " + exp + "; total += e; @store(16, e, 0, rest);";
      String ofKept = "@load(16, 0, " + to("v") + ") * scale";
      return written(
          SOFTMAX
              .with("starts", starts())
              .with("rest", rest("-INFINITY"))
              .with("most", walk("most = fmax(most, x);", "most = fmax(most, x);"))
              .with("highest", across("highest", "most", "fmax(lanes[j], lanes[j + width])"))
              .with("total", walk(log ? sum : kept, log ? sum : keptRest))
              .with("sum", across("sum", "total", "lanes[j] + lanes[j + width]"))
              .with("scale", log ? "highest + log(sum)" : "1 / sum")
              .with(
                  "store",
                  log
                      ? store(loaded("v") + " - scale", "@load(16, 0, rest) - scale")
                      : store(ofKept, "@load(16, 0, rest) * scale")));
    }

    KernelText.Written normalize(Op.Normalize op) {
      String mean = op.centered() ? " - @splat(16, mean)" : "";
      return written(
          NORMALIZE
              .with("starts", starts())
              .with("rest", rest("0.0f"))
              .with("mean", op.centered() ? mean() : "")
              .with(
                  "squared",
                  Statements.of(
                      sum(
                          "squared",
                          sum -> "fma(x" + mean + ", x" + mean + ", " + sum + ")",
                          false),
                      squaresOfRest(op.centered())))
              .with(
                  "squares",
                  Statements.of(
                      across("squares", "squared", "lanes[j] + lanes[j + width]"),
                      !length.hasRest() ? "" : "squares += squaresOfRest;"))
              .with("columns", length.columns())
              .with("epsilon", ExprText.constant(Expr.Const.of(ElementType.F32, op.epsilon())))
              .with(
                  "store",
                  store(
                      "(" + loaded("v") + mean + ") * scale",
                      "(@load(16, 0, rest)" + mean + ") * scale")));
    }

    private Template.Filling mean() {
      return MEAN.with("total", sum("total", sum -> sum + " + x", true))
          .with("sum", across("sum", "total", "lanes[j] + lanes[j + width]"))
          .with("columns", length.columns());
    }

    /* The lanes behind the end would count as far from the mean. */
    private String squaresOfRest(boolean centered) {
      String d = "rest[j]" + (centered ? " - mean" : "");
      return !length.hasRest()
          ? ""
          : "float squaresOfRest = 0;\nfor (int j = 0; j < "
              + length.left()
              + "; j++) { const float d = "
              + d
              + "; squaresOfRest = fma(d, d, squaresOfRest); }";
    }

    /* Declares where the row begins in each array. */
    private String starts() {
      List<String> lines = new ArrayList<>();
      lines.add("const long from = " + operand.start(shape, at) + ";");
      lines.add("const long to = " + result.start(shape, at) + ";");
      extras().forEach(i -> lines.add("const long at" + i + " = " + row(i).start(shape, at) + ";"));
      return String.join("\n", lines);
    }

    private IntStream extras() {
      return IntStream.range(step.node().operands(), step.node().inputs().size());
    }

    private String loaded(String v) {
      return operand.load("from", v);
    }

    private String to(String v) {
      return result.place("to", v);
    }

    private String rest(String pad) {
      return !length.hasRest()
          ? ""
          : REST.with("left", length.left())
              .with("from", operand.place("from", behindWhole()))
              .with("pad", pad)
              .text();
    }

    /* What is done with each vector `x`, and with the one that holds the rest. */
    private String walk(String body, String ofRest) {
      String each = Statements.of("const float16 x = " + loaded("v") + ";", body);
      String loop = !length.hasWhole() ? "" : loop(each);
      String last =
          !length.hasRest() || ofRest.isEmpty()
              ? ""
              : "{ const float16 x = @load(16, 0, rest); " + ofRest + " }";
      return Statements.of(loop, last);
    }

    /* Sums that start from zero over the whole vectors of a row, and over its rest if that is wanted. */
    private String sum(String name, UnaryOperator<String> added, boolean withRest) {
      String one = name + " = " + added.apply(name) + ";";
      if (length.elements().typical() < LONG) {
        return walk(one, withRest ? one : "");
      }
      String four =
          Stream.of(name, "sum1", "sum2", "sum3")
              .map(sum -> {
                String number = sum.equals(name) ? "v" : "(v + " + sum.substring(3) + ")";
                return added(sum, loaded(number), added);
              })
              .collect(Collectors.joining("\n"));
      String sums =
          FOUR_SUMS
              .with("sum", name)
              .with("vectors", length.vectors())
              .with("four", four)
              .with("one", added(name, loaded("v"), added))
              .text();
      String rest = withRest && length.hasRest() ? added(name, "@load(16, 0, rest)", added) : "";
      return Statements.of(sums, rest);
    }

    private static String added(String sum, String x, UnaryOperator<String> added) {
      return ADDED.with("x", x).with("sum", sum).with("added", added.apply(sum)).text();
    }

    private String loop(String body) {
      return LOOP.with("vectors", length.vectors()).with("body", body).text();
    }

    private static String across(String name, String vector, String combined) {
      return ACROSS.with("name", name).with("vector", vector).with("combined", combined).text();
    }

    private String store(String raw, String ofRest) {
      VectorText.Written value = epilogue(false);
      String vectors =
          STORE
              .with("raw", raw)
              .with("statements", value.statements())
              .with("value", value.value())
              .with("place", to("v"))
              .text();
      return Statements.of(
          !length.hasWhole() ? "" : loop(vectors), !length.hasRest() ? "" : storeRest(ofRest));
    }

    private String storeRest(String raw) {
      VectorText.Written value = epilogue(true);
      String loads =
          extras()
              .filter(i -> !LaneRow.isOne(row(i).shape(), axes))
              .mapToObj(i ->
                  EXTRA
                      .with("number", i)
                      .with("left", length.left())
                      .with("from", row(i).place("at" + i, behindWhole()))
                      .text())
              .collect(Collectors.joining("\n"));
      return STORE_REST
          .with("raw", raw)
          .with("loads", value.after(loads))
          .with("value", value.value())
          .with("place", to(behindWhole()))
          .with("left", length.left())
          .text();
    }

    private VectorText.Written epilogue(boolean ofRest) {
      int operands = step.node().operands();
      return VectorText.epilogue(
          step.node().epilogue(), "raw", i -> row(operands + i).load(operands + i, "v", ofRest));
    }

    private KernelText.Written written(Template.Filling walks) {
      s.text().line(Statements.of(rows.item(), walks));
      return new KernelText.Written(s.text(), rows.work(GRAIN_ELEMENTS));
    }
  }
}
