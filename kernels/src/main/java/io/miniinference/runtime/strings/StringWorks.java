package io.miniinference.runtime.strings;

import com.google.re2j.Pattern;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What the operators do that make strings, or look into them.
final class StringWorks {
  /// Most parts that strings of a request are split into.
  private static final long MOST_PARTS = 1 << 20;

  /// Most steps of a match: bytes, and for each the program of the pattern. They take some seconds.
  private static final long MOST_STEPS = 1L << 32;

  private StringWorks() {}

  /// [StringConcat](https://onnx.ai/onnx/operators/onnx__StringConcat.html): one string behind the
  /// other, with numpy's broadcast.
  static List<Tensor> joined(List<Tensor> operands, StringTable table) {
    Tensor a = operands.get(0);
    Tensor b = operands.get(1);
    long[] shape = broadcast(a.shape(), b.shape());
    int[] left = StringTensors.codes(a);
    int[] right = StringTensors.codes(b);
    int[] joined = new int[StringTensors.count(shape)];
    for (int i = 0; i < joined.length; i++) {
      byte[] first = table.bytes(left[place(i, shape, a.shape())]);
      byte[] second = table.bytes(right[place(i, shape, b.shape())]);
      byte[] both = Arrays.copyOf(first, Math.addExact(first.length, second.length));
      System.arraycopy(second, 0, both, first.length, second.length);
      joined[i] = table.code(both);
    }
    return List.of(StringTensors.of(joined, shape, table));
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
    return (operands, table) -> {
      Tensor x = operands.getFirst();
      int[] codes = StringTensors.codes(x);
      boolean[] matches = new boolean[codes.length];
      long left = MOST_STEPS;
      for (int i = 0; i < codes.length; i++) {
        byte[] text = table.bytes(codes[i]);
        left -= (text.length + 1L) * pattern.programSize();
        if (left < 0) {
          throw new InvalidRequestException(
              "strings of the request are too long for the pattern of a RegexFullMatch");
        }
        matches[i] = pattern.matcher(text).matches();
      }
      return List.of(Tensor.of(matches, x.shape()));
    };
  }

  /// [StringSplit](https://onnx.ai/onnx/operators/onnx__StringSplit.html): the parts of each string
  /// along a further axis, as long as the most there are, filled up with empty strings; and how
  /// many there are.
  static StringStep.Work splitting(Splitter splitter) {
    return (operands, table) -> {
      Tensor x = operands.getFirst();
      int[] codes = StringTensors.codes(x);
      List<List<String>> all = new ArrayList<>(codes.length);
      long left = MOST_PARTS;
      long[] counts = new long[codes.length];
      for (int i = 0; i < codes.length; i++) {
        all.add(splitter.parts(table.held(codes[i]), left));
        counts[i] = all.get(i).size();
        left -= counts[i];
      }
      int most = (int) Arrays.stream(counts).max().orElse(0);
      long[] shape = Arrays.copyOf(x.shape(), x.shape().length + 1);
      shape[shape.length - 1] = most;
      int[] parts = new int[StringTensors.count(shape)];
      for (int i = 0; i < codes.length; i++) {
        for (int k = 0; k < counts[i]; k++) {
          parts[i * most + k] = table.codeOfHeld(all.get(i).get(k));
        }
      }
      return List.of(StringTensors.of(parts, shape, table), Tensor.of(counts, x.shape()));
    };
  }

  /// [StringNormalizer](https://onnx.ai/onnx/operators/onnx__StringNormalizer.html): the strings
  /// that are no stop words, in another case; an empty one where none is left.
  static StringStep.Work normalising(Normaliser normaliser) {
    return (operands, table) -> {
      Tensor x = operands.getFirst();
      long[] shape = x.shape().clone();
      if (shape.length != 1 && !(shape.length == 2 && shape[0] == 1)) {
        throw new InvalidRequestException(
            "StringNormalizer takes strings of shape [C] or [1, C], got " + Arrays.toString(shape));
      }
      int[] kept =
          Arrays.stream(StringTensors.codes(x))
              .filter(code -> !normaliser.stops(table.bytes(code)))
              .map(code -> table.code(normaliser.inCase(table.bytes(code))))
              .toArray();
      int[] codes = kept.length == 0 ? new int[1] : kept;
      shape[shape.length - 1] = codes.length;
      return List.of(StringTensors.of(codes, shape, table));
    };
  }
}
