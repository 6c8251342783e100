package io.miniinference.lower;

import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a target will compute a node, and what it needs for that.
///
/// @param strategy the form of its kernel, handed back with the step
/// @param inputs per input of the node (operands, then epilogue) the layout it must be in, null
///   where any index function will do
/// @param packings per input the packing of a constant, null for the plain weight
/// @param output the layout of each result
/// @param epilogueInPlace whether each work item reads epilogue inputs only at the indices that it
///   writes, and each once, before it writes them, so that the result may be placed over one
/// @param scratch memory that the kernels of the step need until the last of them has run
public record KernelChoice<S extends Strategy>(
    S strategy,
    List<@Nullable Layout> inputs,
    List<@Nullable Packing> packings,
    Layout output,
    boolean epilogueInPlace,
    List<Scratch> scratch) {
  public KernelChoice {
    inputs = Collections.unmodifiableList(new ArrayList<>(inputs));
    packings = Collections.unmodifiableList(new ArrayList<>(packings));
    scratch = List.copyOf(scratch);
  }

  /// A choice that takes its operands as they lie, and needs no packing and no scratch.
  ///
  /// @param inputs how many the node has (operands, then epilogue)
  public static <S extends Strategy> KernelChoice<S> plain(S strategy, int inputs, Layout output) {
    List<@Nullable Layout> layouts = Collections.<@Nullable Layout>nCopies(inputs, null);
    List<@Nullable Packing> packings = Collections.<@Nullable Packing>nCopies(inputs, null);
    return new KernelChoice<>(strategy, layouts, packings, output, false, List.of());
  }

  /// Whether a kernel that goes element by element, reading, applying the epilogue and storing,
  /// reads what the epilogue needs only where it writes: unless the epilogue computes indices.
  public static boolean readsWhereItWrites(Node node) {
    return node.epilogue() != null && ExprTree.computedArgs(node.epilogue()).isEmpty();
  }

  /// The same choice, with [#epilogueInPlace()] as told.
  public KernelChoice<S> withEpilogueInPlace(boolean inPlace) {
    return new KernelChoice<>(strategy, inputs, packings, output, inPlace, scratch);
  }

  /// The same choice where an input that it takes as it lies is to be in a layout.
  public KernelChoice<S> withInput(int input, Layout layout) {
    List<@Nullable Layout> layouts = new ArrayList<@Nullable Layout>(inputs);
    if (layouts.get(input) == null) {
      layouts.set(input, layout);
    }
    return new KernelChoice<>(strategy, layouts, packings, output, epilogueInPlace, scratch);
  }

  /// The same choice with memory for its kernels.
  public KernelChoice<S> withScratch(Scratch memory) {
    return new KernelChoice<>(strategy, inputs, packings, output, epilogueInPlace, List.of(memory));
  }

  /// Memory in the arena that a step has for itself.
  ///
  /// @param name what it holds, unique in the step
  public record Scratch(String name, Affine bytes) {}
}
