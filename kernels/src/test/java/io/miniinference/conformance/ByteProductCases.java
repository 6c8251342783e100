package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.round;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.List;

/// Products of bytes and signed bytes, which processors add up in instructions of their own: each
/// sum is the same integer everywhere, whatever is made of it.
final class ByteProductCases {
  /// Bytes scaled, shifted and stored as bytes again.
  private static final Expr REQUANTISED = quantised(mul(cast(ElementType.F32, arg(0)), arg(1)));

  private ByteProductCases() {}

  static List<Sheet> sheets() {
    return List.of(matrices(), convolutions(), epilogues());
  }

  private static Expr quantised(Expr scaled) {
    Expr shifted = add(round(scaled), const_(ElementType.F32, 3.0));
    Expr within = min(max(shifted, const_(ElementType.F32, 0.0)), const_(ElementType.F32, 255.0));
    return cast(ElementType.U8, within);
  }

  private static Value bytes(Sheet s, List<Affine> shape) {
    return s.input(Data.EDGES, ElementType.U8, shape);
  }

  private static Value weights(Sheet s, long... shape) {
    return s.constant(Data.EDGES, ElementType.I8, shape);
  }

  private static Sheet matrices() {
    Sheet s = new Sheet("products of bytes", 130).batches(3L, 0L, 29L, 1L);
    for (long depth : List.of(4L, 20L, 64L)) {
      for (long columns : List.of(16L, 48L, 64L)) {
        Value x = bytes(s, Sheet.batch(depth));
        String label = depth + " x " + columns;
        s.check(label, s.at(label).matMul(x, weights(s, depth, columns)));
        Op turned = new Op.MatMul(false, true);
        s.check(label + " turned", s.at(label).op(turned, x, weights(s, columns, depth)));
      }
    }
    Value images = bytes(s, Sheet.batch(5, 7, 32));
    s.check("rows of images", s.at("i").matMul(images, weights(s, 32, 32)));
    Value odd = bytes(s, Sheet.batch(7));
    s.check("no whole fours", s.at("o").matMul(odd, weights(s, 7, 16)));
    Value narrow = bytes(s, Sheet.batch(8));
    s.check("no whole vector", s.at("n").matMul(narrow, weights(s, 8, 10)));
    Value part = s.at("p").slice(bytes(s, Sheet.batch(40)), 1, Affine.of(3), Affine.of(32));
    s.check("rows that start anywhere", s.at("p").matMul(part, weights(s, 32, 16)));
    return s;
  }

  private static Sheet convolutions() {
    Sheet s = new Sheet("convolutions of bytes", 131).batches(2L, 1L);
    Window padded = WindowCases.window(2, 3, 1, 1, 1, 1);
    Window strided = WindowCases.window(2, 3, 2, 1, 1, 0);
    Window point = WindowCases.window(2, 1, 1, 1, 0, 0);
    List<Long> channelCounts = List.of(4L, 16L, 24L, 40L);
    List<Long> outputCounts = List.of(6L, 16L, 24L, 64L);
    List<Window> windows = List.of(padded, strided, point);
    for (int c = 0; c < channelCounts.size(); c++) {
      Value x = bytes(s, Sheet.batch(channelCounts.get(c), 9, 17));
      for (int o = 0; o < outputCounts.size(); o++) {
        for (int w = 0; w < windows.size(); w++) {
          if (Sheet.isTried(3, c, o, w)) {
            dense(s, x, outputCounts.get(o), windows.get(w));
          }
        }
      }
    }
    for (long channels : List.of(6L, 16L, 40L)) {
      Value x = bytes(s, Sheet.batch(channels, 9, 17));
      for (Window w : List.of(padded, strided)) {
        Value filters = weights(s, channels, 1, 3, 3);
        String label = "each of " + channels;
        s.check(label + " " + w, s.at(label).conv(w, (int) channels, x, filters));
      }
    }
    Value grouped = bytes(s, Sheet.batch(32, 6, 6));
    s.check("groups", s.at("g").conv(padded, 4, grouped, weights(s, 32, 8, 3, 3)));
    Value turned = s.at("t").transpose(bytes(s, Sheet.batch(9, 8, 16)), List.of(0, 3, 2, 1));
    s.check("turned", s.at("t").conv(padded, 1, turned, weights(s, 16, 16, 3, 3)));
    return s;
  }

  private static void dense(Sheet s, Value x, long outputs, Window w) {
    long channels = x.type().dim(1).asConstant();
    long size = w.kernel().getFirst();
    String label = channels + " to " + outputs;
    Value filters = weights(s, outputs, channels, size, size);
    s.check(label + " " + w, s.at(label).conv(w, 1, x, filters));
  }

  private static Sheet epilogues() {
    Sheet s = new Sheet("sums of bytes put to use", 132).batches(5L, 1L);
    Value zero = s.input(Data.EDGES, ElementType.U8, List.of(Affine.ONE));
    Value factor = s.input(Data.UNIT, ElementType.F32, List.of());
    for (boolean isImage : List.of(false, true)) {
      List<Affine> shape = isImage ? Sheet.batch(16, 6, 8) : Sheet.batch(6, 16);
      long[] weights = isImage ? new long[] {32, 16, 1, 1} : new long[] {16, 32};
      long[] lanes = isImage ? new long[] {32, 1, 1} : new long[] {32};
      List<Affine> each = isImage ? Sheet.dims(32, 1, 1) : Sheet.dims(32);
      Op op =
          isImage
              ? new Op.Conv(WindowCases.window(2, 1, 1, 1, 0, 0), 1)
              : new Op.MatMul(false, false);
      List<Affine> result = isImage ? Sheet.batch(32, 6, 8) : Sheet.batch(6, 32);
      List<Value> operands = List.of(bytes(s, shape), weights(s, weights));
      String kind = isImage ? "image, " : "matrix, ";
      Value totals = s.constant(Data.EDGES, ElementType.I32, lanes);
      Expr centred = sub(arg(0), mul(cast(ElementType.I32, arg(1)), arg(2)));
      put(s, kind + "centred", op, operands, centred, zero, totals);
      Expr scaled = mul(cast(ElementType.F32, centred), arg(3));
      put(s, kind + "scaled", op, operands, scaled, zero, totals, factor);
      Value scales = s.input(Data.UNIT, ElementType.F32, each);
      put(s, kind + "by lane", op, operands, mul(cast(ElementType.F32, arg(0)), arg(1)), scales);
      Value several = s.input(Data.UNIT, ElementType.F32, Sheet.dims(40));
      Value part = s.at("p").slice(several, 0, Affine.of(5), Affine.of(32));
      Value factors = isImage ? s.at("p").reshape(part, each) : part;
      Value one = s.at("p").slice(several, 0, Affine.of(3), Affine.ONE);
      Expr twice = mul(mul(cast(ElementType.F32, arg(0)), arg(1)), arg(2));
      put(s, kind + "by parts of an array", op, operands, twice, factors, one);
      Value known = s.constant(Data.UNIT, ElementType.F32, lanes);
      put(s, kind + "requantised", op, operands, REQUANTISED, known);
      Value other = s.input(Data.EDGES, ElementType.U8, result);
      Expr summed =
          quantised(add(mul(cast(ElementType.F32, arg(0)), arg(1)), cast(ElementType.F32, arg(2))));
      put(s, kind + "residual", op, operands, summed, known, other);
    }
    return s;
  }

  private static void put(
      Sheet s, String label, Op op, List<Value> operands, Expr epilogue, Value... others) {
    s.check(label, s.at(label).op(op, operands, epilogue, List.of(others)));
  }
}
