package io.miniinference.ops.draft;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Evaluation of small nodes while a model is imported.
final class Folding {
  private static final long MAX_OPERAND_ELEMENTS = 1 << 20;

  private Folding() {}

  /// The node's results, if its operands are constants and they are small.
  ///
  /// What does not compute (a bad index, a division by zero) is left to run time, and noted
  /// ([Facts#isFailed]).
  static Optional<List<Tensor>> constant(Node node, Facts facts) {
    return isOfQuantisedWeights(node) ? Optional.empty() : evaluated(node, facts, facts::tensor);
  }

  /* Floats of bytes: no size follows from them, and products are better of the bytes. */
  private static boolean isOfQuantisedWeights(Node node) {
    return node.op() instanceof Op.Elementwise map
        && map.type().element().isFloat()
        && map.type().rank() > 1
        && !node.inputs().isEmpty()
        && isByte(node.inputs().getFirst().type().element());
  }

  private static boolean isByte(ElementType type) {
    return type == ElementType.I8 || type == ElementType.U8;
  }

  /// The node's results in the request whose inputs are given, if they follow from them and are
  /// small.
  static Optional<List<Tensor>> given(Node node, Facts facts) {
    return evaluated(node, facts, facts::content);
  }

  private static Optional<List<Tensor>> evaluated(
      Node node, Facts facts, Function<Value, @Nullable Tensor> contents) {
    if (dependsOnBatch(node) && !facts.followsFromRows(node.inputs())) {
      return Optional.empty();
    }
    var operands = new ArrayList<Tensor>();
    for (Value input : node.inputs()) {
      Tensor operand = contents.apply(input);
      if (operand == null || operand.elements() > MAX_OPERAND_ELEMENTS) {
        return Optional.empty();
      }
      operands.add(operand);
    }
    long n = facts.givenBatch();
    if (node.outputs().stream()
        .anyMatch(v -> Tensor.elements(v.type().shapeAt(n)) > SymbolicTensor.MAX_ELEMENTS)) {
      return Optional.empty();
    }
    try {
      FailureSink failures = FailureSink.throwing(node.name());
      return Optional.of(Interpreter.results(node, operands, n, failures));
    } catch (DataFailure e) {
      node.outputs().forEach(output -> facts.fail(output, node.inputs()));
      return Optional.empty();
    }
  }

  private static boolean dependsOnBatch(Node node) {
    return !node.outputs().stream().allMatch(v -> v.type().isStatic())
        || (node.op() instanceof Op.Elementwise e && Ex.mentionsBatch(e.expr()));
  }

  /// The node's result, if it is small, of integers, and follows from known ones.
  static Optional<SymbolicTensor> known(Node node, Facts facts) {
    if (node.outputs().size() > 1) {
      return Optional.empty();
    }
    TensorType type = node.output().type();
    if (!type.isStatic()
        || type.elements().constant() > SymbolicTensor.MAX_ELEMENTS
        || !isShapeArithmetic(type.element())) {
      return Optional.empty();
    }
    var operands = new ArrayList<SymbolicTensor>();
    for (var input : node.inputs()) {
      Optional<SymbolicTensor> operand =
          facts.known(input).filter(k -> isShapeArithmetic(input.type().element()));
      if (operand.isEmpty()) {
        return Optional.empty();
      }
      operands.add(operand.get());
    }
    List<TensorType> types = node.inputs().stream().map(v -> v.type()).toList();
    return new SizeInterpreter(types, operands, type).run(node.op());
  }

  /// Whether the node's results are small, and would be known if the batch were fixed.
  static boolean followsFromBatch(Node node, Facts facts) {
    boolean isPosition = node.op() instanceof Op.Elementwise;
    return node.outputs().stream().allMatch(v -> isSmall(v.type().elements()))
        && (isPosition || !node.inputs().isEmpty())
        && node.inputs().stream().allMatch(v -> isKnownForBatch(v, facts));
  }

  private static boolean isSmall(Affine elements) {
    return elements.equals(Affine.ZERO) || elements.at(1) <= SymbolicTensor.MAX_ELEMENTS;
  }

  private static boolean isKnownForBatch(Value value, Facts facts) {
    return facts.tensor(value) != null
        || facts.known(value).isPresent()
        || facts.followsFromBatch(value);
  }

  private static boolean isShapeArithmetic(ElementType type) {
    return type == ElementType.I64 || type == ElementType.I32 || type == ElementType.BOOL;
  }
}
