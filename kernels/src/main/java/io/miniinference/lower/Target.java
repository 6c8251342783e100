package io.miniinference.lower;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.IndexFunction;
import io.miniinference.pass.FusionTarget;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What kernels are written for, as passes, lowering, planner and device runtime ask it. There is
/// one for CPUs, one for GPUs and one for the JVM; they share the IR, the plan and the failure
/// protocol, and no kernel text. A [TargetProvider] says which devices run its kernels.
///
/// A load asks in this order, and what is said early binds later: which nodes may be merged
/// ([#fuses]), how each is computed and in which layouts ([#choose]), whether all of them are one
/// step ([#asOneStep]), where the planner may move its arrays ([#canWrite]), and at last for the
/// kernels ([#generate]). Each question has one answer for one node, whoever asks: a merged node
/// that is accepted, and an array that may be moved, must not cost the kernel that [#choose] would
/// take otherwise.
///
/// A target has no state, and may be asked by several threads.
///
/// @param <S> how it computes a node, sealed in its package
public interface Target<S extends Strategy> extends FusionTarget {

  /// Decides how to compute `node` (any operator but View and Concat, which lowering resolves).
  ///
  /// @param inputs per input of the node how it lies in memory now and, for a constant, its value
  /// @param consumers the nodes that read the result, for a choice of layout that suits them
  KernelChoice<S> choose(Node node, List<Operand> inputs, List<Consumer> consumers);

  /// The layout in which operands of a Concat (or a value that must be materialised) are best put
  /// together, given how they lie now.
  Layout concatLayout(Node node, List<Operand> inputs, List<Consumer> consumers);

  /// The layout in which a value is made anew because a view of it is none of the memory as it
  /// lies, one that the view is of.
  ///
  /// @param view reads the value
  /// @param consumers the nodes that read the view
  default Layout viewedLayout(Node view, List<Consumer> consumers) {
    return Layout.ROW_MAJOR;
  }

  /// What memory that is elsewhere in each iteration of a loop must start at a multiple of: kernels
  /// take vectors of as many bytes to be aligned there.
  default int vectorBytes() {
    return 16;
  }

  /// What `f32` numbers are to be stored as between steps, with kernels that compute in `f32`;
  /// empty where they stay as they are.
  default Optional<ElementType> storage() {
    return Optional.empty();
  }

  /// Whether a kernel can be written for a step that [#choose] decided, now that some of its arrays
  /// lie elsewhere: with gaps between rows, from any element on, or in another order.
  ///
  /// @param step with the arrays where they would lie
  boolean canWrite(LoweredStep step);

  /// Whether the kernel of `node` can gather operand `operand` for itself and gains by it: there is
  /// no array of it then, and no launch of the Gather.
  ///
  /// @param gather makes the operand, for this node alone
  /// @param data how the Gather's data lies in memory
  default boolean gathers(Node gather, IndexFunction data, Node node, int operand) {
    return false;
  }

  /// The program as one step, which takes each row through all of it and keeps to itself what is
  /// between its inputs and outputs; empty where steps of their own are better.
  default Optional<LoweredProgram> asOneStep(LoweredProgram program) {
    return Optional.empty();
  }

  /// Writes all kernels and launches of a lowered program.
  Generated generate(LoweredProgram program);

  /// As [#generate], all of it as one kernel, with a launch that goes through the whole program
  /// ([Network]); empty if there is none.
  ///
  /// @param piece the rows of a batch that one more launch is to take through the program together,
  ///   each of whose results is computed row by row then
  default Optional<Generated> generateNetwork(LoweredProgram program, Optional<RowPiece> piece) {
    return Optional.empty();
  }

  /// A place for the kernels of one model with open sizes; empty if a kernel costs nothing to make,
  /// and each shape may have its own.
  default Optional<OpenKernels> openKernels() {
    return Optional.empty();
  }

  /// How an input lies in memory.
  ///
  /// @param constant its value if it is a constant that the target may pack
  record Operand(IndexFunction index, @Nullable Tensor constant) {}
}
