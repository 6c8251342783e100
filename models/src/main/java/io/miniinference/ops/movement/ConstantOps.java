package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.cos;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedShapes;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ConstantReader;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.Optional;

/// Values that the file states or that follow from sizes alone.
public final class ConstantOps {
  private static final String WINDOW = "output_datatype=1 periodic=1";

  private ConstantOps() {}

  public static void addTo(OpTable table) {
    table
        .row(
            "Constant",
            1,
            "0",
            "value sparse_value value_float value_floats value_int value_ints value_string value_strings",
            ConstantOps::constant)
        .row("ConstantOfShape", 9, "1", "value", ConstantOps::filled)
        .row("Range", 11, "3", "stash_type=1", ConstantOps::range)
        .row("EyeLike", 9, "1", "dtype k=0", ConstantOps::eye)
        .row("HannWindow", 17, "1", WINDOW, c -> window(c, 0.5, 0.5, 0))
        .row("HammingWindow", 17, "1", WINDOW, c -> window(c, 25.0 / 46, 21.0 / 46, 0))
        .row("BlackmanWindow", 17, "1", WINDOW, c -> window(c, 0.42, 0.5, 0.08))
        .rows("Dropout", 1, "1", "is_test=0 ratio=0.5", ConstantOps::passOn)
        .rows("Dropout", 7, "1", "ratio=0.5", ConstantOps::passOn)
        .rows("Dropout", 12, "1-3", "seed=0", ConstantOps::dropout);
  }

  private static Value constant(OpContext c) {
    for (String name : List.of("value", "value_float", "value_floats", "value_int", "value_ints")) {
      AttributeProto attribute = c.attributes().message(name);
      if (attribute != null) {
        Value value = c.constant(tensor(c, name, attribute));
        if (name.equals("value")) {
          ConstantReader.coded(attribute.getT()).ifPresent(type -> c.facts().code(value, type));
        }
        return value;
      }
    }
    AttributeProto sparse = c.attributes().message("sparse_value");
    if (sparse != null) {
      return sparse(c, sparse.getSparseTensor());
    }
    if (c.hasAttr("value_string")) {
      return strings(c, List.of(c.attrString("value_string")));
    }
    if (c.hasAttr("value_strings")) {
      List<String> all = c.attributes().strings("value_strings");
      return strings(c, all, all.size());
    }
    throw c.unsupported("a constant of " + c.attributes().names());
  }

  private static Value sparse(OpContext c, SparseTensorProto proto) {
    Value value = c.constant(c.constants().read(proto));
    ConstantReader.coded(proto.getValues()).ifPresent(type -> c.facts().code(value, type));
    return value;
  }

  private static Value strings(OpContext c, List<String> strings, long... shape) {
    return c.constant(c.constants().strings(strings, shape), CodedType.STRING);
  }

  private static Tensor tensor(OpContext c, String name, AttributeProto attribute) {
    long[] scalar = new long[0];
    return switch (name) {
      case "value" -> c.constants().read(attribute.getT());
      case "value_float" -> SmallTensors.of(ElementType.F32, scalar, (double) attribute.getF());
      case "value_int" -> SmallTensors.of(ElementType.I64, scalar, attribute.getI());
      case "value_floats" -> {
        double[] values =
            attribute.getFloatsList().stream().mapToDouble(Float::doubleValue).toArray();
        yield SmallTensors.of(ElementType.F32, new long[] {values.length}, values);
      }
      default -> {
        long[] values = attribute.getIntsList().stream().mapToLong(Long::longValue).toArray();
        yield SmallTensors.of(ElementType.I64, new long[] {values.length}, values);
      }
    };
  }

  private static Value filled(OpContext c) {
    Optional<PlannedSizes> planned = c.planned(0);
    List<Affine> shape =
        Sizes.dimensions(planned.map(PlannedSizes::largest).orElseGet(() -> c.sizes(0)));
    AttributeProto value = c.attributes().message("value");
    Tensor tensor =
        value == null
            ? SmallTensors.of(ElementType.F32, new long[] {1}, 0.0)
            : c.constants().read(value.getT());
    if (tensor.elements() != 1) {
      throw LoweringFault.of("has attribute 'value' of %s, takes one element".formatted(tensor));
    }
    Value filled = c.fill(element(tensor), shape);
    Optional.ofNullable(value)
        .flatMap(it -> ConstantReader.coded(it.getT()))
        .ifPresent(type -> c.facts().code(filled, type));
    return planned.map(sizes -> CountedShapes.of(c, filled, sizes)).orElse(filled);
  }

  private static Expr element(Tensor tensor) {
    ElementType type = tensor.element();
    return type.isFloat()
        ? Const.of(type, SmallTensors.real(tensor, 0))
        : new Const(type, SmallTensors.integer(tensor, 0));
  }

  private static Value range(OpContext c) {
    Optional<PlannedSizes> planned = c.planned(1);
    if (planned.isPresent()) {
      return counted(c, planned.get());
    }
    return ShapeOps.range(c, c.element(0).isFloat() ? realCount(c) : count(c));
  }

  /* The numbers of rows of which only the device can tell how many there are. */
  private static Value counted(OpContext c, PlannedSizes end) {
    if (c.int1(0) != 0 || c.int1(2) != 1) {
      throw CountedAxes.joins();
    }
    return CountedShapes.of(c, ShapeOps.range(c, end.largest().getFirst()), end);
  }

  private static Affine count(OpContext c) {
    Affine distance = c.size1(1).minus(c.size1(0));
    long step = c.int1(2);
    if (step == 0) {
      throw LoweringFault.of("has delta 0");
    }
    if (distance.isConstant()) {
      return Affine.of(Math.max(0, Math.ceilDiv(distance.constant(), step)));
    }
    return Sizes.quotient(distance, Affine.of(step))
        .map(size -> Sizes.dimension(size, 0))
        .orElseThrow(() ->
            LoweringFault.specialisable(
                "counts %s in steps of %d; fix the batch".formatted(distance, step)));
  }

  private static Affine realCount(OpContext c) {
    double distance = c.real1(1) - c.real1(0);
    double count = Math.max(0, Math.ceil(distance / c.real1(2)));
    if (!(count < 1L << 40)) {
      throw LoweringFault.of("counts %s elements".formatted(count));
    }
    return Affine.of((long) count);
  }

  /// `a − b·cos(2πi/n) + c·cos(4πi/n)`.
  private static Value window(OpContext context, double a, double b, double c) {
    ElementType type = context.attrType("output_datatype");
    Affine size = Sizes.dimension(Affine.of(context.int1(0)), 0);
    long period = context.attrBool("periodic") ? size.constant() : size.constant() - 1;
    Expr turn = const_(type, 2 * Math.PI / Math.max(1, period));
    Expr angle = mul(cast(type, index(0)), turn);
    Expr first = sub(const_(type, a), mul(const_(type, b), cos(angle)));
    Expr second = mul(const_(type, c), cos(add(angle, angle)));
    return context.compute(c == 0 ? first : add(first, second), List.of(size));
  }

  private static Value eye(OpContext c) {
    ElementType type = c.hasAttr("dtype") ? c.attrType("dtype") : c.element(0);
    Expr diagonal = eq(index(1), add(index(0), const_(c.attrInt("k"))));
    Expr element = select(diagonal, const_(type, 1L), const_(type, 0L));
    return c.compute(element, c.type(0).shape());
  }

  private static List<Value> dropout(OpContext c) {
    boolean training = c.has(2) && c.int1(2) != 0;
    if (training && !(c.has(1) && c.real1(1) == 0)) {
      throw LoweringFault.of(
          "is in training mode, in which it drops at random; export the network in evaluation mode");
    }
    return passOn(c);
  }

  /// The input, and a mask that keeps all of it.
  private static List<Value> passOn(OpContext c) {
    if (c.outputs() < 2) {
      return List.of(c.in(0));
    }
    Expr kept = new Const(ElementType.BOOL, 1);
    return List.of(c.in(0), c.fill(kept, c.type(0).shape()));
  }
}
