package io.miniinference.runtime.strings;

import com.google.re2j.Pattern;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.strings.StringTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// What the operators do that make strings, or look into them.
final class StringWorks {
  /// Most pairs of strings whose joint one is remembered.
  private static final int MOST_PAIRS = 1 << 16;

  /// Steps a byte of reading UTF-8 as text and writing it in another case.
  private static final long STEPS_OF_TEXT = 4;

  private StringWorks() {}

  /// [StringConcat](https://onnx.ai/onnx/operators/onnx__StringConcat.html): one string behind the
  /// other, with numpy's broadcast.
  static List<Tensor> joined(List<Tensor> operands, StringTable table, HostBudget budget) {
    Tensor a = operands.get(0);
    Tensor b = operands.get(1);
    long[] shape = broadcast(a.shape(), b.shape());
    int[] joined = new int[budget.codes(shape, table)];
    int[] left = StringTensors.codes(a);
    int[] right = StringTensors.codes(b);
    Map<Long, Integer> known = new HashMap<>();
    for (int i = 0; i < joined.length; i++) {
      int first = left[place(i, shape, a.shape())];
      int second = right[place(i, shape, b.shape())];
      long pair = ((long) first << Integer.SIZE) | Integer.toUnsignedLong(second);
      Integer code = known.get(pair);
      if (code == null) {
        code = joined(first, second, table, budget);
        if (known.size() < MOST_PAIRS) {
          known.put(pair, code);
        }
      }
      joined[i] = code;
    }
    return List.of(StringTensors.of(joined, shape, table));
  }

  private static int joined(int first, int second, StringTable table, HostBudget budget) {
    String before = table.held(first);
    String behind = table.held(second);
    budget.steps((long) before.length() + behind.length(), 2);
    return table.codeOfHeld(before + behind);
  }

  private static long[] broadcast(long[] a, long[] b) {
    long[] shape = new long[Math.max(a.length, b.length)];
    for (int i = 1; i <= shape.length; i++) {
      long left = i <= a.length ? a[a.length - i] : 1;
      long right = i <= b.length ? b[b.length - i] : 1;
      if (left != right && left != 1 && right != 1) {
        throw new InvalidRequestException(
            "strings of shapes %s and %s do not broadcast"
                .formatted(Arrays.toString(a), Arrays.toString(b)));
      }
      shape[shape.length - i] = left == 1 ? right : left;
    }
    return shape;
  }

  /* The place in an operand of what is at a place of the broadcast shape. */
  private static int place(int at, long[] shape, long[] own) {
    long rest = at;
    long place = 0;
    long stride = 1;
    for (int i = 1; i <= own.length; i++) {
      long here = rest % shape[shape.length - i];
      rest /= shape[shape.length - i];
      long extent = own[own.length - i];
      place += extent == 1 ? 0 : here * stride;
      stride *= extent;
    }
    return (int) place;
  }

  /// [RegexFullMatch](https://onnx.ai/onnx/operators/onnx__RegexFullMatch.html), in time that is
  /// linear in the string, whatever the pattern.
  static StringStep.Work matching(Pattern pattern) {
    return (operands, table, budget) -> {
      Tensor x = operands.getFirst();
      boolean[] matches = new boolean[budget.elements(x.shape(), 1, table)];
      int[] codes = StringTensors.codes(x);
      Map<Integer, Boolean> known = new HashMap<>();
      for (int i = 0; i < codes.length; i++) {
        matches[i] =
            known.computeIfAbsent(
                codes[i],
                code -> {
                  byte[] text = table.bytes(code);
                  budget.steps(text.length + 1L, pattern.programSize());
                  return pattern.matcher(text).matches();
                });
      }
      return List.of(Tensor.of(matches, x.shape()));
    };
  }

  /// [StringSplit](https://onnx.ai/onnx/operators/onnx__StringSplit.html): the parts of each string
  /// along a further axis, as long as the most there are, filled up with empty strings; and how
  /// many there are.
  static StringStep.Work splitting(Splitter splitter) {
    return (operands, table, budget) -> {
      Tensor x = operands.getFirst();
      long[] counts = new long[budget.elements(x.shape(), Long.BYTES, table)];
      int[] codes = StringTensors.codes(x);
      long most = 0;
      for (int i = 0; i < codes.length; i++) {
        counts[i] = split(codes[i], splitter, table, budget, _ -> {});
        most = Math.max(most, counts[i]);
      }
      long[] shape = Arrays.copyOf(x.shape(), x.shape().length + 1);
      shape[shape.length - 1] = most;
      int[] parts = new int[budget.codes(shape, table)];
      Arrays.fill(parts, table.codeOfHeld(""));
      for (int i = 0; i < codes.length; i++) {
        int[] next = {(int) (i * most)};
        split(
            codes[i],
            splitter,
            table,
            budget,
            part -> parts[next[0]++] = table.codeOfHeld(part.get()));
      }
      return List.of(StringTensors.of(parts, shape, table), Tensor.of(counts, x.shape()));
    };
  }

  private static int split(
      int code,
      Splitter splitter,
      StringTable table,
      HostBudget budget,
      Consumer<Supplier<String>> to) {
    String text = table.held(code);
    budget.steps(text.length(), splitter.stepsAByte());
    return splitter.split(text, to);
  }

  /// Tokens of each text along a further axis, as long as the most there are, filled up with
  /// others: see [Tokeniser].
  static StringStep.Work tokenizing(Tokeniser tokeniser) {
    return (operands, table, budget) -> {
      Tensor x = operands.getFirst();
      if (x.shape().length != 1 && x.shape().length != 2) {
        throw new InvalidRequestException(
            "Tokenizer takes strings of shape [C] or [N, C], got " + Arrays.toString(x.shape()));
      }
      Map<Integer, int[]> known = new HashMap<>();
      List<int[]> texts = new ArrayList<>();
      int most = 0;
      for (int code : StringTensors.codes(x)) {
        int[] tokens = known.computeIfAbsent(code, it -> tokens(it, tokeniser, table, budget));
        texts.add(tokens);
        most = Math.max(most, tokens.length);
      }
      int marks = tokeniser.marks() && most > 0 ? 1 : 0;
      int places = tokeniser.places(most + 2 * marks);
      long[] shape = Arrays.copyOf(x.shape(), x.shape().length + 1);
      shape[shape.length - 1] = places;
      int[] all = new int[budget.codes(shape, table)];
      Arrays.fill(all, codeOf(tokeniser.pad(), table));
      for (int i = 0; i < texts.size(); i++) {
        int[] tokens = texts.get(i);
        int from = i * places;
        System.arraycopy(tokens, 0, all, from + marks, tokens.length);
        if (marks > 0) {
          all[from] = codeOf(Tokeniser.START, table);
          all[from + 1 + tokens.length] = codeOf(Tokeniser.END, table);
        }
      }
      return List.of(StringTensors.of(all, shape, table));
    };
  }

  private static int[] tokens(int code, Tokeniser tokeniser, StringTable table, HostBudget budget) {
    budget.steps(table.length(code), STEPS_OF_TEXT);
    IntStream.Builder tokens = IntStream.builder();
    tokeniser.cut().tokens(table.text(code), budget, token -> tokens.add(codeOf(token, table)));
    int[] codes = tokens.build().toArray();
    budget.codes(new long[] {codes.length}, table);
    return codes;
  }

  private static int codeOf(String text, StringTable table) {
    return table.code(text.getBytes(StandardCharsets.UTF_8));
  }

  /// [StringNormalizer](https://onnx.ai/onnx/operators/onnx__StringNormalizer.html): the strings
  /// that are no stop words, in another case; an empty one where none is left.
  static StringStep.Work normalising(Normaliser normaliser) {
    return (operands, table, budget) -> {
      Tensor x = operands.getFirst();
      long[] shape = x.shape().clone();
      if (shape.length != 1 && !(shape.length == 2 && shape[0] == 1)) {
        throw new InvalidRequestException(
            "StringNormalizer takes strings of shape [C] or [1, C], got " + Arrays.toString(shape));
      }
      budget.codes(shape, table);
      int[] kept =
          Arrays.stream(StringTensors.codes(x))
              .peek(code -> budget.steps(table.length(code), 2 * STEPS_OF_TEXT))
              .filter(code -> !normaliser.stops(table.bytes(code)))
              .map(code -> table.code(normaliser.inCase(table.bytes(code))))
              .toArray();
      boolean isNone = kept.length == 0 && normaliser.leavesOut();
      int[] codes = isNone ? new int[1] : kept;
      shape[shape.length - 1] = codes.length;
      return List.of(StringTensors.of(codes, shape, table));
    };
  }
}
