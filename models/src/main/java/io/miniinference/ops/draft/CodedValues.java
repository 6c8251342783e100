package io.miniinference.ops.draft;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the results of a node hold whose operands hold codes ([CodedType]): codes of the same type,
/// if it moves them, and numbers, if it compares them. A node that takes codes for numbers is
/// refused.
///
/// It looks at core nodes, so that it knows nothing of ONNX's operators: a rule that moves elements
/// moves codes as well.
final class CodedValues {
  private final Node node;
  private final List<Optional<CodedType>> operands;

  /// What an expression gives: codes; a number where `type` is null; or zero, which is both.
  private record Content(@Nullable CodedType type, boolean isZero) {
    static final Content NUMBER = new Content(null, false);
    static final Content ZERO = new Content(null, true);

    boolean isCodes() {
      return type != null;
    }
  }

  private CodedValues(Node node, List<Optional<CodedType>> operands) {
    this.node = node;
    this.operands = operands;
  }

  /// What all results of a node without bodies hold.
  ///
  /// @param coded what a value holds
  /// @throws LoweringFault if it computes on codes, or mixes them with others
  static Optional<CodedType> of(Node node, Function<Value, Optional<CodedType>> coded) {
    List<Optional<CodedType>> operands = node.inputs().stream().map(coded).toList();
    return operands.stream().allMatch(Optional::isEmpty)
        ? Optional.empty()
        : new CodedValues(node, operands).result();
  }

  private Optional<CodedType> result() {
    return switch (node.op()) {
      case Op.View _ -> operands.getFirst();
      case Op.Concat _ -> same(operands);
      case Op.Gather _ -> indexed(1);
      case Op.Scatter scatter when scatter.kind() == Op.ScatterKind.REPLACE -> scattered();
      case Op.Elementwise map -> Optional.ofNullable(content(map.expr()).type());
      case Op.Scatter _, Op.Reduce _, Op.Regular _, Op.Control _ -> throw computes();
    };
  }

  private Optional<CodedType> indexed(int indices) {
    if (operands.get(indices).isPresent()) {
      throw computes();
    }
    return operands.getFirst();
  }

  private Optional<CodedType> scattered() {
    indexed(1);
    return same(List.of(operands.get(0), operands.get(2)));
  }

  private Optional<CodedType> same(List<Optional<CodedType>> all) {
    if (all.stream().distinct().count() > 1) {
      throw mixes();
    }
    return all.getFirst();
  }

  private Content content(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) -> operand(k);
      case Expr.At at -> {
        at.coordinates().forEach(this::number);
        yield operand(at.index());
      }
      case Expr.Const constant -> constant.bits() == 0 ? Content.ZERO : Content.NUMBER;
      case Expr.Select(Expr condition, Expr then, Expr otherwise) -> {
        number(condition);
        yield either(content(then), content(otherwise));
      }
      case Expr.Binary binary -> binary(binary);
      case Expr.Index _, Expr.Extent _, Expr.Unary _, Expr.Cast _ -> {
        ExprTree.children(expr).forEach(this::number);
        yield Content.NUMBER;
      }
    };
  }

  private Content operand(int k) {
    return operands.get(k).map(type -> new Content(type, false)).orElse(Content.NUMBER);
  }

  private void number(Expr expr) {
    if (content(expr).isCodes()) {
      throw computes();
    }
  }

  private Content either(Content one, Content other) {
    if (one.isZero() || one.equals(other)) {
      return other;
    }
    if (other.isZero()) {
      return one;
    }
    throw mixes();
  }

  private Content binary(Expr.Binary binary) {
    Content left = content(binary.left());
    Content right = content(binary.right());
    boolean compares = binary.op() == Expr.BinaryOp.EQ || binary.op() == Expr.BinaryOp.NE;
    CodedType type = left.type() == null ? right.type() : left.type();
    if (type != null && !(compares && type.hasOneCodeEach() && left.equals(right))) {
      throw computes();
    }
    return Content.NUMBER;
  }

  private LoweringFault computes() {
    String type = types();
    return LoweringFault.of(
        "computes on values of type %s, which are moved and compared for equality alone"
            .formatted(type));
  }

  private LoweringFault mixes() {
    return LoweringFault.of("mixes values of type %s with others".formatted(types()));
  }

  private String types() {
    return String.join(
        ", ", operands.stream().flatMap(Optional::stream).map(CodedType::name).distinct().toList());
  }

  /// What each result of a node with bodies holds.
  ///
  /// @throws LoweringFault if branches differ in it, or what a loop carries changes in it
  static List<Optional<CodedType>> ofBodies(Node node, Function<Value, Optional<CodedType>> coded) {
    return switch (node.op()) {
      case Op.If branches ->
          agreeing(outputs(branches.then(), coded), outputs(branches.otherwise(), coded));
      case Op.Loop loop -> {
        List<Optional<CodedType>> all = outputs(loop.body(), coded);
        List<Value> before = node.inputs().subList(2, loop.firstCaptured());
        agreeing(before.stream().map(coded).toList(), all.subList(1, loop.firstCaptured() - 1));
        yield all.subList(1, all.size());
      }
      case Op.Iteration iteration -> outputs(iteration.body(), coded);
      case Op.Elementwise _, Op.Reduce _, Op.Rearrangement _, Op.Indexed _, Op.Regular _ ->
          throw new IllegalArgumentException(node.name() + " has no bodies");
    };
  }

  private static List<Optional<CodedType>> outputs(
      Graph body, Function<Value, Optional<CodedType>> coded) {
    return body.outputs().stream().map(coded).toList();
  }

  private static List<Optional<CodedType>> agreeing(
      List<Optional<CodedType>> one, List<Optional<CodedType>> other) {
    if (!one.equals(other)) {
      String types =
          String.join(
              ", ",
              Stream.concat(one.stream(), other.stream())
                  .flatMap(Optional::stream)
                  .map(CodedType::name)
                  .distinct()
                  .toList());
      throw LoweringFault.of("gives values of type %s, and others in their place".formatted(types));
    }
    return one;
  }
}
