package io.miniinference.codegen.cpu;

import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.Target.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A node before its kernel is chosen: what every choice asks of it, and the choices that all kinds
/// of nodes share.
final class UnchosenNode {
  static final int LANES = VectorText.LANES;
  static final Layout BLOCKED = new Layout.Blocked(1, LANES);

  private final Node node;
  private final List<Operand> inputs;
  private @Nullable Weights weights;

  /// @param inputs how each of the node's inputs lies, and its value where it is constant
  UnchosenNode(Node node, List<Operand> inputs) {
    this.node = node;
    this.inputs = inputs;
  }

  /// The same with its first input in rows.
  UnchosenNode ofRows() {
    List<Operand> moved = new ArrayList<>(inputs);
    moved.set(0, new Operand(Layout.ROW_MAJOR.of(node.inputs().getFirst().type().shape()), null));
    return new UnchosenNode(node, moved);
  }

  Node node() {
    return node;
  }

  /// The type of the first input.
  TensorType left() {
    return node.inputs().getFirst().type();
  }

  /// The type of the second input.
  TensorType right() {
    return node.inputs().get(1).type();
  }

  TensorType output() {
    return node.output().type();
  }

  /// How an input lies.
  IndexFunction index(int input) {
    return inputs.get(input).index();
  }

  /// How all inputs lie.
  List<IndexFunction> indices() {
    return inputs.stream().map(Operand::index).toList();
  }

  /// The value of an input, if it is constant.
  @Nullable Tensor constant(int input) {
    return inputs.get(input).constant();
  }

  /// Whether operands and result are 32-bit floats.
  boolean isFloat() {
    return ofFloats() && node.output().type().element() == ElementType.F32;
  }

  /// Whether its operands are 32-bit floats.
  boolean ofFloats() {
    return node.operandValues().stream().allMatch(v -> v.type().element() == ElementType.F32);
  }

  /// What follows the operator, in vectors along an axis of the result; empty where a function has
  /// no vector form.
  Optional<VectorEpilogue> epilogue(int laneAxis) {
    return VectorEpilogue.of(node, i -> constant(i) != null, laneAxis);
  }

  /// The weights, its second input: looked at once, since integers are told from floats by going
  /// through them all.
  Weights weights() {
    if (weights == null) {
      weights = Weights.of(inputs.get(1).constant());
    }
    return weights;
  }

  /// A choice that moves no input.
  KernelChoice<CpuStrategy> plain(CpuStrategy strategy, Layout output) {
    return KernelChoice.plain(strategy, node.inputs().size(), output);
  }

  KernelChoice<CpuStrategy> loop(String why) {
    return loop(Layout.ROW_MAJOR, why);
  }

  /// @param why what keeps a faster form from the node
  KernelChoice<CpuStrategy> loop(Layout output, String why) {
    return plain(new CpuStrategy.Loop(why), output);
  }

  /// Whether an extent besides the batch is open.
  static boolean isOpen(TensorType type) {
    return type.shape().stream().skip(1).anyMatch(Affine::isOpen);
  }

  static boolean hasZero(TensorType type) {
    return type.shape().stream().anyMatch(Affine::isZero);
  }

  /// Whether an extent is a positive multiple of a unit.
  static boolean isPositive(Affine size, int unit) {
    return size.isConstant() && size.constant() > 0 && size.constant() % unit == 0;
  }
}
