package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attention of the writers for OpenCL beside the plain interpreter's, which has all scores at
/// once.
@Tag("opencl")
final class AttentionTest {
  private static final double SCALE = 0.25;

  private static void holds(Writer writer, Sheet sheet) {
    try (Rig rig = writer.open()) {
      assertThat(sheet.differences(rig, sheet.graph(), Sheet.Case::tolerance)).isEmpty();
    }
  }

  private static Value attention(Sheet s, boolean rowsOfKeys, Value... operands) {
    return s.at("a").op(new Op.Attention(rowsOfKeys, SCALE, Op.Attention.Blind.NAN), operands);
  }

  /// Keys around whole vectors and whole blocks, rows around whole tiles and beyond a work item's.
  @ParameterizedTest
  @EnumSource(names = {"CPU", "GPU"})
  void keysAndRowsOfAnyNumber(Writer writer) {
    Sheet s = new Sheet("attention", 41).batches(1L, 0L, 3L);
    long[] counts = {1, 5, 16, 31, 49, 64, 65, 197};
    for (int c = 0; c < counts.length; c++) {
      long keys = counts[c];
      s.thinned(2, c);
      for (long rows : new long[] {1, 3, 13, 150}) {
        Value q = s.input(Sheet.batch(2, rows, 20));
        Value k = s.input(Sheet.batch(2, keys, 20));
        Value v = s.input(Sheet.batch(2, keys, 32));
        s.check(rows + " rows, " + keys + " keys", attention(s, true, q, k, v));
      }
    }
    holds(writer, s);
  }

  /// Keys as columns, turned values and queries, matrices that are shared, each kind of mask.
  @ParameterizedTest
  @EnumSource(names = {"CPU", "GPU"})
  void operandsAsNetworksHaveThem(Writer writer) {
    Sheet s = new Sheet("operands", 42).batches(2L, 1L);
    List<Affine> turned = Sheet.batch(33, 2, 48);
    Value q = s.at("t").transpose(s.input(turned), List.of(0, 2, 1, 3));
    Value k = s.at("t").transpose(s.input(turned), List.of(0, 2, 3, 1));
    Value v = s.at("t").transpose(s.input(turned), List.of(0, 2, 1, 3));
    s.check("heads", attention(s, false, q, k, v));
    s.check(
        "turned values",
        attention(
            s,
            false,
            q,
            k,
            s.at("t").transpose(s.input(Sheet.batch(2, 48, 33)), List.of(0, 1, 3, 2))));
    s.check("shared keys", attention(s, true, q, s.constant(33, 48), v));
    s.check("shared values", attention(s, false, q, k, s.input(Sheet.batch(1, 33, 16))));
    s.check(
        "matrix alone",
        attention(s, true, s.constant(9, 4), s.constant(17, 4), s.constant(17, 16)));
    s.check("mask of all", attention(s, false, q, k, v, s.input(Sheet.batch(2, 33, 33))));
    s.check("mask of keys", attention(s, false, q, k, v, s.input(Sheet.batch(1, 1, 33))));
    s.check("mask of rows", attention(s, false, q, k, v, s.constant(33, 1)));
    s.check("one number", attention(s, false, q, k, v, s.constant(1)));
    Value wide = s.input(Sheet.batch(2, 33, 240));
    s.check("wide values", attention(s, false, q, k, wide));
    holds(writer, s);
  }

  /// Queries and values that fill no vectors or several panels, in small tiles and in large ones.
  @Test
  void sizesOfAnyNumberOnGpus() {
    Sheet s = new Sheet("sizes", 44).batches(1L);
    for (long matrices : new long[] {1, 70}) {
      for (long[] sizes : new long[][] {{7, 10}, {32, 64}, {65, 33}, {40, 16}}) {
        Value q = s.input(Sheet.batch(matrices, 37, sizes[0]));
        Value k = s.input(Sheet.batch(matrices, 70, sizes[0]));
        Value v = s.input(Sheet.batch(matrices, 70, sizes[1]));
        s.check(
            matrices + " matrices of " + sizes[0] + " and " + sizes[1],
            attention(s, true, q, k, v));
      }
    }
    Value q = s.input(Sheet.batch(20, 224));
    s.check("largest", attention(s, true, q, q, s.input(Sheet.batch(20, 256))));
    holds(Writer.GPU, s);
  }

  /// Scores that are all hidden in one block of keys and not in others, hidden altogether, too
  /// large for the exponential, and no numbers.
  @ParameterizedTest
  @EnumSource(names = {"CPU", "GPU"})
  void scoresAtTheEndsOfTheirRange(Writer writer) {
    int keys = 150;
    Sheet s = new Sheet("scores", 43).batches(1L);
    Value q = s.constant(12, 8);
    Value k = s.constant(keys, 8);
    Value v = s.constant(keys, 16);
    List<float[]> masks = new ArrayList<>();
    masks.add(filled(keys, 0, 70, Float.NEGATIVE_INFINITY));
    masks.add(filled(keys, 64, keys, Float.NEGATIVE_INFINITY));
    masks.add(filled(keys, 0, keys, Float.NEGATIVE_INFINITY));
    masks.add(filled(keys, 0, 100, -3.4028235e38f));
    masks.add(filled(keys, 0, keys, -3.4028235e38f));
    masks.add(filled(keys, 90, 91, 1e30f));
    masks.add(filled(keys, 3, 4, Float.NaN));
    masks.add(filled(keys, 140, 141, Float.POSITIVE_INFINITY));
    masks.add(filled(keys, 0, 64, -100));
    for (int i = 0; i < masks.size(); i++) {
      Value mask = s.constant(Tensor.of(masks.get(i), keys).copy());
      for (Op.Attention.Blind blind : Op.Attention.Blind.values()) {
        Op op = new Op.Attention(true, SCALE, blind);
        s.check("mask " + i + ", " + blind, s.at("a").op(op, q, k, v, mask));
      }
    }
    Value steep = s.at("e").elementwise(mul(arg(0), const_(ElementType.F32, 1e4)), q);
    s.check("large scores", attention(s, true, steep, k, v));
    holds(writer, s);
  }

  private static float[] filled(int keys, int from, int until, float value) {
    float[] mask = new float[keys];
    java.util.Arrays.fill(mask, from, until, value);
    return mask;
  }
}
