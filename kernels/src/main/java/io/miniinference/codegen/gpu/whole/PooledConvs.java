package io.miniinference.codegen.gpu.whole;

import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Convolutions that one pool alone reads, whose windows lie side by side: a work item that owns an
/// element of the pool computes all that is under its window, and nothing else of the convolution.
///
/// @param convs numbers of the convolutions, by that of the pool
record PooledConvs(Map<Integer, Integer> convs) {
  /// @param uses each mention of a block
  static PooledConvs of(LoweredProgram program, Map<Block, List<Array>> uses) {
    Map<Block, LoweredStep> makers = new HashMap<>();
    Map<Integer, Integer> convs = new HashMap<>();
    for (LoweredStep step : program.steps()) {
      makers.put(step.output().block(), step);
      LoweredStep maker = makers.get(step.inputs().getFirst().block());
      if (maker != null
          && maker.node().op() instanceof Op.Conv
          && step.node().op() instanceof Op.WindowReduce pool
          && step.node().epilogue() == null
          && uses.getOrDefault(maker.output().block(), List.of()).size() == 2
          && isSideBySide(pool, step.node().inputs().getFirst().type(), step)) {
        convs.put(step.number(), maker.number());
      }
    }
    return new PooledConvs(convs);
  }

  /* Windows of a plane that do not overlap, all of them inside, and of few pixels each. */
  private static boolean isSideBySide(Op.WindowReduce pool, TensorType x, LoweredStep step) {
    Window window = pool.window();
    long pixels = window.kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b);
    if (window.rank() != 2 || pool.kind() == Op.PoolKind.SUM || pixels > ConvStage.MOST_SUMS) {
      return false;
    }
    for (int d = 0; d < 2; d++) {
      long last = step.node().output().type().dim(d + 2).asConstant() - 1;
      boolean fits =
          window.padsBegin().get(d) == 0
              && window.dilations().get(d) == 1
              && window.strides().get(d) >= window.kernel().get(d)
              && last * window.strides().get(d) + window.kernel().get(d)
                  <= x.dim(d + 2).asConstant();
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  boolean isConv(int number) {
    return convs.containsValue(number);
  }

  Optional<Integer> convOf(int pool) {
    return Optional.ofNullable(convs.get(pool));
  }
}
