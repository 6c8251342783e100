package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.type.ExprType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.planner.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What a work item computes for an element of the result by itself: functions of elements, pools,
/// reductions of few elements, and softmaxes of short lines, of which a work item has one.
record ElementStage(LoweredStep step) implements Stage {
  /// Most elements that a work item goes over for one result, or for one line.
  private static final long MOST_ELEMENTS = 256;

  private static final Template WINDOW =
      Template.of(
          "pool of a work-group",
          """
          $accumulator
          int count = 0;
          $taps
          $divide
          const $type result = ($type)acc;
          $store
          """);

  private static final Template REDUCTION =
      Template.of(
          "reduction of a work-group",
          """
          $accumulator
          $loops
          const $type result = ($type)acc;
          $store
          """);

  private static final Template AXIS =
      Template.of(
          "elements along an axis",
          """
          for (int i$axis = 0; i$axis < $extent; i$axis++) {
            $body
          }
          """);

  private static final Template SOFTMAX =
      Template.of(
          "softmax of a work-group",
          """
          float highest = -INFINITY;
          for (int i$axis = 0; i$axis < $extent; i$axis++) highest = fmax(highest, $value);
          float sum = 0;
          for (int i$axis = 0; i$axis < $extent; i$axis++) sum += exp($value - highest);
          const float scale = $scale;
          for (int i$axis = 0; i$axis < $extent; i$axis++) {
            const float result = $result;
            $store
          }
          """);

  /// Empty where a result is made of too many elements, or of kinds that need more than one of
  /// them.
  static Optional<ElementStage> of(LoweredStep step) {
    boolean fits =
        switch (step.node().op()) {
          case Op.Elementwise _ -> step.failure() == null;
          case Op.WindowReduce pool ->
              pool.window().kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b)
                  <= MOST_ELEMENTS;
          case Op.Reduce op -> !op.kind().isArg() && isShort(step, op.axes());
          case Op.Softmax op -> isFloat(step) && isShort(step, List.of(op.axis()));
          default -> false;
        };
    return fits ? Optional.of(new ElementStage(step)) : Optional.empty();
  }

  private static boolean isFloat(LoweredStep step) {
    return step.node().inputs().getFirst().type().element() == ElementType.F32;
  }

  private static boolean isShort(LoweredStep step, List<Integer> axes) {
    List<Affine> shape = step.node().inputs().getFirst().type().shape();
    Affine elements = axes.stream().map(shape::get).reduce(Affine.ONE, Affine::times);
    return elements.isConstant() && elements.constant() <= MOST_ELEMENTS;
  }

  @Override
  public void write(KernelText text, Placement memory) {
    StepText s = new StepText(step, text);
    text.line(
        switch (step.node().op()) {
          case Op.Elementwise op -> map(s, op);
          case Op.WindowReduce op -> pool(s, op);
          case Op.Reduce op -> reduce(s, op);
          case Op.Softmax op -> softmax(s, op);
          default -> throw new IllegalStateException("no form for " + step.node().onnxOp());
        });
  }

  private IndexFunction result() {
    return step.output().index();
  }

  private TensorType operand() {
    return step.node().inputs().getFirst().type();
  }

  private String map(StepText s, Op.Elementwise op) {
    List<Coordinate> at = MemoryOrder.coordinates(result().shape());
    return Places.each(result(), s.stored(s.expression(op.expr(), at), at));
  }

  private String pool(StepText s, Op.WindowReduce op) {
    List<Coordinate> at = MemoryOrder.coordinates(result().shape());
    ElementType element = operand().element();
    Accumulator acc =
        Accumulator.of(
            op.kind() == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM, element);
    WindowLoops window = new WindowLoops(op.window(), operand());
    String take = acc.combine("acc", s.read(0, window.tap(at.get(0), at.get(1))));
    return Places.each(
        result(),
        WINDOW
            .with("accumulator", acc.declare("acc"))
            .with("taps", window.over(Statements.of(take, "count++;")))
            .with("divide", window.divided(op.kind(), element))
            .with("type", CType.of(element).computed())
            .with("store", s.stored(s.epilogue("result", element, at), at)));
  }

  private String reduce(StepText s, Op.Reduce op) {
    List<Affine> shape = operand().shape();
    List<Integer> kept =
        IntStream.range(0, shape.size()).boxed().filter(i -> !op.axes().contains(i)).toList();
    List<Coordinate> from = MemoryOrder.coordinates(shape);
    List<Coordinate> to = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      if (kept.contains(axis)) {
        to.add(from.get(axis));
      } else if (op.keepDims()) {
        to.add(Coordinate.ZERO);
      }
    }
    ElementType mapped = ExprType.of(op.map(), List.of(operand().element()));
    Accumulator acc = Accumulator.of(op.kind(), mapped);
    String loops = acc.combine("acc", mapped(op.map(), s.read(0, from)));
    for (int axis : op.axes().reversed()) {
      loops =
          AXIS.with("axis", axis)
              .with("extent", shape.get(axis).asConstant())
              .with("body", loops)
              .text();
    }
    return Places.each(
        Decoding.of(shape, kept.stream().filter(axis -> !shape.get(axis).isSingle()).toList()),
        "",
        REDUCTION
            .with("accumulator", acc.declare("acc"))
            .with("loops", loops)
            .with("type", CType.of(mapped).computed())
            .with("store", s.stored(s.epilogue("result", mapped, to), to)));
  }

  private String mapped(Expr map, String value) {
    return new ExprText(new ExprText.Operand(value), List.of(operand().element())).of(map);
  }

  private String softmax(StepText s, Op.Softmax op) {
    List<Affine> shape = operand().shape();
    List<Coordinate> at = new ArrayList<>(MemoryOrder.coordinates(shape));
    at.set(op.axis(), Coordinate.of("i" + op.axis()));
    String value = s.read(0, at);
    String weight = "exp_of_weight(" + value + " - highest)";
    List<Integer> lines =
        IntStream.range(0, shape.size())
            .boxed()
            .filter(axis -> axis != op.axis() && !shape.get(axis).isSingle())
            .toList();
    return Places.each(
        Decoding.of(shape, lines),
        "",
        SOFTMAX
            .with("axis", op.axis())
            .with("extent", shape.get(op.axis()).asConstant())
            .with("value", value)
            .with("scale", op.log() ? "log(sum)" : "1 / sum")
            .with("result", op.log() ? value + " - highest - scale" : weight + " * scale")
            .with("store", s.stored(s.epilogue("result", ElementType.F32, at), at)));
  }
}
