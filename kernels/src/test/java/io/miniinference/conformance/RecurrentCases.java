package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.reciprocal;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;
import io.miniinference.ir.RecurrentCell;
import io.miniinference.ir.RecurrentCell.Kind;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Recurrent layers: every kind of cell in both directions, with and without what may be given,
/// sizes of a state that fill vectors and that do not, batches of fewer rows than go together and
/// of more, operands that were turned, other types, weights that GPUs share out, and states too
/// large for local memory.
final class RecurrentCases {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final Affine STEPS = Affine.of(6);

  private RecurrentCases() {}

  static List<Sheet> sheets() {
    List<Sheet> sheets = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      sheets.add(sizes(kind));
    }
    for (Kind kind : Kind.values()) {
      sheets.add(manyWeights(kind));
    }
    sheets.addAll(List.of(parts(), types(), lying(), large()));
    return sheets;
  }

  private static Sheet sizes(Kind kind) {
    Sheet s = new Sheet("states of " + kind, 770 + kind.ordinal()).batches(3L, 33L, 1L, 0L);
    List<Integer> few = List.of(1, 5, 16, 37, 100);
    for (int i = 0; i < few.size(); i++) {
      if (Sheet.isTried(2, kind.ordinal(), i)) {
        check(s, new Layer(kind, few.get(i), false, List.of(), false));
      }
    }
    check(s, new Layer(kind, 48, true, List.of(), true));
    check(s, new Layer(kind, 190, false, List.of(), false));
    check(s, new Layer(kind, 20, false, all(kind), true));
    check(s, new Layer(kind, 20, true, all(kind), false));
    check(s, new Layer(kind, 128, true, List.of(Given.LENGTHS), false));
    return s;
  }

  /* More than one work-group of a GPU holds: of whole vectors and not; of few weights and many
  elements. */
  private static Sheet manyWeights(Kind kind) {
    Sheet s = new Sheet("many weights of " + kind, 790 + kind.ordinal()).batches(9L, 2L, 1L, 0L);
    int hidden =
        switch (kind) {
          case RNN -> 408;
          case GRU, GRU_LINEAR -> 236;
          case LSTM, LSTM_COUPLED -> 204;
        };
    check(s, new Layer(kind, hidden, true, all(kind), false));
    check(s, new Layer(kind, hidden + 1, false, List.of(), true));
    if (kind == Kind.RNN) {
      check(s, new Layer(kind, 300, true, List.of(Given.LENGTHS), false));
    }
    return s;
  }

  private static List<Given> all(Kind kind) {
    List<Given> all = new ArrayList<>(List.of(Given.HIDDEN));
    if (kind == Kind.GRU_LINEAR) {
      all.addFirst(Given.BIAS);
    }
    if (kind.hasCellState()) {
      all.addFirst(Given.PEEPHOLES);
      all.add(Given.CELL);
    }
    all.add(Given.LENGTHS);
    return all;
  }

  /// @param isBounded whether functions are applied to what is within bounds
  private record Layer(
      Kind kind, int hidden, boolean backwards, List<Given> given, boolean isBounded) {
    Op.Recurrent op(ElementType type, List<Part> parts) {
      Expr x = isBounded ? min(max(arg(0), const_(type, -0.4)), const_(type, 0.4)) : arg(0);
      Expr one = const_(type, 1);
      Expr sigmoid = reciprocal(add(one, exp(neg(x))));
      List<Expr> functions = new ArrayList<>(List.of(sigmoid, tanh(x), tanh(arg(0))));
      if (kind == Kind.RNN) {
        functions.removeFirst();
      }
      return new Op.Recurrent(
          new RecurrentCell(kind, functions.subList(0, kind.functions())), backwards, given, parts);
    }

    List<Part> parts() {
      return List.of(Part.values()).subList(0, 1 + kind.states());
    }

    TensorType inputs(ElementType type) {
      return new TensorType(
          type, List.of(STEPS, Affine.N, Affine.of((long) kind.gates() * hidden)));
    }

    @Override
    public String toString() {
      return "%s of %d%s%s%s"
          .formatted(
              kind, hidden, backwards ? ", backwards" : "", given, isBounded ? ", bounded" : "");
    }
  }

  private static void check(Sheet s, Layer layer) {
    check(s, layer, ElementType.F32, weights(s, layer, ElementType.F32));
  }

  /* Of a size at which a step makes no difference larger. */
  private static Value weights(Sheet s, Layer layer, ElementType type) {
    long rows = (long) layer.kind.gates() * layer.hidden;
    Tensor weights = Data.UNIT.fill(s.random(), type, rows, layer.hidden);
    for (long i = 0; type == ElementType.F32 && i < weights.elements(); i++) {
      float value = weights.data().getAtIndex(FLOAT, i);
      weights.data().setAtIndex(FLOAT, i, value / (float) Math.sqrt(layer.hidden));
    }
    return s.constant(weights);
  }

  private static void check(Sheet s, Layer layer, ElementType type, Value weights) {
    TensorType inputs = layer.inputs(type);
    check(s, layer, s.input(Data.NORMAL, type, inputs.shape()), weights, layer.parts());
  }

  private static void check(Sheet s, Layer layer, Value x, Value weights, List<Part> parts) {
    ElementType type = x.type().element();
    List<Value> operands = new ArrayList<>(List.of(x, weights));
    layer.given.forEach(given -> operands.add(given(s, layer, type, given)));
    List<Value> results = s.at("c").all(layer.op(type, parts), operands.toArray(Value[]::new));
    for (int i = 0; i < parts.size(); i++) {
      s.check(layer + ", " + type + ", " + parts.get(i), results.get(i));
    }
  }

  private static Value given(Sheet s, Layer layer, ElementType type, Given given) {
    int hidden = layer.hidden;
    return switch (given) {
      case BIAS -> s.constant(Data.NORMAL, type, hidden);
      case PEEPHOLES -> s.constant(Data.NORMAL, type, 3L * hidden);
      case HIDDEN, CELL ->
          s.input(Data.NORMAL, type, List.of(Affine.ONE, Affine.N, Affine.of(hidden)));
      case LENGTHS ->
          s.input(
              new TensorType(ElementType.I32, List.of(Affine.ONE, Affine.N, Affine.ONE)),
              RecurrentCases::lengths);
    };
  }

  /* Also such as no sequence has. */
  private static Tensor lengths(long n) {
    int[] lengths = new int[(int) n];
    for (int i = 0; i < n; i++) {
      lengths[i] = (5 * i + 3) % 9 - 1;
    }
    return Tensor.of(lengths, 1, n, 1);
  }

  private static Sheet parts() {
    Sheet s = new Sheet("parts of recurrent layers", 780).batches(5L, 1L);
    Layer layer = new Layer(Kind.LSTM, 18, false, List.of(), false);
    for (List<Part> parts :
        List.of(List.of(Part.STATES), List.of(Part.HIDDEN), List.of(Part.STATES, Part.CELL))) {
      check(
          s,
          layer,
          s.input(layer.inputs(ElementType.F32).shape()),
          weights(s, layer, ElementType.F32),
          parts);
    }
    return s;
  }

  private static Sheet types() {
    Sheet s = new Sheet("types of recurrent layers", 781).batches(3L, 1L);
    for (ElementType type : List.of(ElementType.F64, ElementType.F16, ElementType.BF16)) {
      for (Kind kind : List.of(Kind.GRU, Kind.LSTM)) {
        Layer layer = new Layer(kind, 9, kind == Kind.GRU, all(kind), false);
        check(s, layer, type, weights(s, layer, type));
      }
    }
    return s;
  }

  /* Rows of the batch first, as models have them, and weights that are computed. */
  private static Sheet lying() {
    Sheet s = new Sheet("recurrent layers of views", 782).batches(6L, 1L);
    Layer layer = new Layer(Kind.GRU_LINEAR, 21, true, List.of(Given.BIAS), false);
    Value x = s.input(Sheet.batch(6, 63));
    Value turned = s.at("t").transpose(x, List.of(1, 0, 2));
    check(s, layer, turned, weights(s, layer, ElementType.F32), layer.parts());
    Value other = s.at("u").transpose(s.input(Sheet.batch(63, 6)), List.of(2, 0, 1));
    check(s, layer, other, weights(s, layer, ElementType.F32), layer.parts());
    Value computed = s.input(Data.UNIT, ElementType.F32, Sheet.dims(63, 21));
    check(s, layer, turned, computed, layer.parts());
    Value none = s.at("n").slice(turned, 0, Affine.ZERO, Affine.ZERO);
    check(s, layer, none, weights(s, layer, ElementType.F32), layer.parts());
    return s;
  }

  private static Sheet large() {
    Sheet s = new Sheet("large states", 783).batches(2L);
    Layer layer = new Layer(Kind.GRU, 2060, false, List.of(), true);
    Value weight = s.constant(Tensor.of(new float[] {1e-3f}, 1, 1));
    Value weights =
        s.at("w").expand(weight, List.of(Affine.of(3L * layer.hidden), Affine.of(layer.hidden)));
    Value x = s.input(layer.inputs(ElementType.F32).shape());
    check(s, layer, s.at("f").slice(x, 0, Affine.ZERO, Affine.of(2)), weights, layer.parts());
    return s;
  }
}
