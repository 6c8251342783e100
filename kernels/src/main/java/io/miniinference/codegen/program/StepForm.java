package io.miniinference.codegen.program;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All of a step that its kernels are written from, but for the names of values and the numbers of
/// blocks: kernels of steps of one form differ in nothing but the blocks that they are given.
///
/// @param numbers sizes, strides and places of its arrays and values. Whether they are open counts,
///   which [Affine#equals] does not tell
/// @param gathered what is computed of the operand that is never an array, if there is one
record StepForm(
    Op op,
    @Nullable Expr epilogue,
    int operands,
    Strategy strategy,
    List<Boolean> packed,
    @Nullable Form gathered,
    List<Long> numbers) {

  /// A node without its values.
  record Form(int operand, Op op, @Nullable Expr epilogue, int operands) {}

  /// Whether the form tells all: what may fail has the step's number in its text, and what stands
  /// in branches and loops has what is around it.
  static boolean tellsAll(LoweredStep step) {
    return step.failure() == null && step.guards().isEmpty();
  }

  /// The blocks of a step, each once.
  static List<Integer> blocks(LoweredStep step) {
    Set<Integer> blocks = new LinkedHashSet<>();
    step.inputs().forEach(array -> blocks.add(array.block().id()));
    step.outputs().forEach(array -> blocks.add(array.block().id()));
    step.scratch().forEach(block -> blocks.add(block.id()));
    return List.copyOf(blocks);
  }

  /// @param blocks of the step
  static StepForm of(LoweredStep step, List<Integer> blocks) {
    Node node = step.node();
    return new StepForm(
        node.op(),
        node.epilogue(),
        node.operands(),
        step.strategy(),
        step.packed(),
        gathered(step),
        new Counted(blocks).step(step));
  }

  private static @Nullable Form gathered(LoweredStep step) {
    LoweredStep.Gathered gathered = step.gathered();
    if (gathered == null) {
      return null;
    }
    Node node = gathered.node();
    return new Form(gathered.operand(), node.op(), node.epilogue(), node.operands());
  }

  /* The numbers of a step, in one order. */
  private static final class Counted {
    private final List<Integer> blocks;
    private final List<Long> numbers = new ArrayList<>();

    Counted(List<Integer> blocks) {
      this.blocks = blocks;
    }

    List<Long> step(LoweredStep step) {
      values(step.node());
      if (step.node().op() instanceof Op.Elementwise map) {
        type(map.type());
      }
      LoweredStep.Gathered gathered = step.gathered();
      if (gathered != null) {
        values(gathered.node());
      }
      numbers.add((long) step.kind().ordinal());
      step.inputs().forEach(this::array);
      step.outputs().forEach(this::array);
      step.scratch().forEach(this::block);
      return numbers;
    }

    /* A value that is there twice is no two values of one type. */
    private void values(Node node) {
      List<Value> all = Stream.concat(node.inputs().stream(), node.outputs().stream()).toList();
      numbers.add((long) node.inputs().size());
      for (Value value : all) {
        numbers.add((long) all.indexOf(value));
        type(value.type());
      }
    }

    private void type(TensorType type) {
      numbers.add((long) type.element().ordinal());
      numbers.add((long) type.rank());
      type.shape().forEach(this::number);
    }

    private void array(Array array) {
      block(array.block());
      numbers.add((long) array.elementBytes());
      number(array.index().offset());
      numbers.add((long) array.index().axes().size());
      array.index().axes().forEach(this::axis);
    }

    private void axis(Axis axis) {
      number(axis.extent());
      number(axis.stride());
      numbers.add((long) axis.block());
      number(axis.outerStride());
    }

    private void block(Block block) {
      numbers.add((long) blocks.indexOf(block.id()));
      number(block.sizeBytes());
      numbers.add((long) block.space().ordinal());
    }

    private void number(Affine value) {
      numbers.add(value.constant());
      numbers.add(value.perBatch());
      numbers.add(value.multiple());
    }
  }
}
