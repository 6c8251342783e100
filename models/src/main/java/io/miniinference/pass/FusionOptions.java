package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import java.util.EnumSet;
import java.util.Set;

/// How far elementwise work is fused.
///
/// @param maxExpression most nodes of an expression
/// @param maxRepeated most nodes that are computed again because a fused value is read twice
/// @param cheap up to this many nodes are computed again for each reader, or each repetition of a
///   broadcast, rather than stored
/// @param maxInputs most inputs of a node
/// @param hosts operators that take an epilogue
/// @param reduceMaps whether a reduction takes the elementwise node before it as its element map
/// @param target asked about each merged node before it takes the place of its parts
public record FusionOptions(
    int maxExpression,
    int maxRepeated,
    int cheap,
    int maxInputs,
    Set<Host> hosts,
    boolean reduceMaps,
    FusionTarget target) {
  public FusionOptions {
    hosts = Set.copyOf(hosts);
  }

  /// An operator that may take an epilogue.
  public enum Host {
    CONV,
    CONV_TRANSPOSE,
    MATMUL,
    REDUCE,
    WINDOW_REDUCE,
    SOFTMAX,
    NORMALIZE,
    GATHER
  }

  /// Everything that core IR allows.
  public static FusionOptions all() {
    return of((_, _) -> true);
  }

  /// All that a target accepts.
  public static FusionOptions of(FusionTarget target) {
    return new FusionOptions(96, 24, 3, 12, EnumSet.allOf(Host.class), true, target);
  }

  /// No merging: one node for each that was imported.
  public static FusionOptions none() {
    return new FusionOptions(0, 0, 0, 0, Set.of(), false, (_, _) -> false);
  }

  /// Whether an expression may take in another that it reads.
  ///
  /// @param consumer nodes of the one
  /// @param producer nodes of the other
  /// @param uses times that the one reads it
  boolean fits(int consumer, int producer, int uses) {
    long repeated = (uses - 1L) * producer;
    return repeated <= maxRepeated && consumer + (long) uses * producer <= maxExpression;
  }

  /// Whether a merged node may take the place of the two that it was merged from.
  boolean accepts(Node merged, Graph graph) {
    return merged.inputs().size() <= maxInputs && target.fuses(merged, graph);
  }

  boolean takesEpilogue(Op op) {
    return switch (op) {
      case Op.Conv _ -> hosts.contains(Host.CONV);
      case Op.ConvTranspose _ -> hosts.contains(Host.CONV_TRANSPOSE);
      case Op.MatMul _ -> hosts.contains(Host.MATMUL);
      case Op.Reduce _ -> hosts.contains(Host.REDUCE);
      case Op.WindowReduce _ -> hosts.contains(Host.WINDOW_REDUCE);
      case Op.Softmax _ -> hosts.contains(Host.SOFTMAX);
      case Op.Normalize _ -> hosts.contains(Host.NORMALIZE);
      case Op.Gather _ -> hosts.contains(Host.GATHER);
      case Op.Elementwise _, Op.Rearrangement _, Op.Scatter _, Op.Positional _, Op.Control _ ->
          false;
      case Op.Attention _ -> false;
    };
  }
}
