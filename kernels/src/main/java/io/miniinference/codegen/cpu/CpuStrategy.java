package io.miniinference.codegen.cpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.NonMaxSuppressionBlocks;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.cpu.lanes.AttentionText;
import io.miniinference.codegen.cpu.lanes.FewChannels;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.codegen.cpu.recurrent.RowsOfStates;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.List;

/// What the CPU target decided for a node.
sealed interface CpuStrategy extends Strategy {

  /// Several kernels, one after the other.
  non-sealed interface Several extends CpuStrategy {
    /// The kernels of a step for which the strategy was chosen; none where there is nothing to do.
    ///
    /// @param failures block id of the failure slots
    List<KernelText.Written> kernels(LoweredStep step, int failures);

    /// The kernels that other shapes of a model with open sizes take in the place of these.
    default List<KernelText.Written> spares(LoweredStep step) {
      return List.of();
    }

    /// Whether they can be written now that some arrays lie elsewhere.
    default boolean canWrite(LoweredStep step) {
      return true;
    }
  }

  /// What an operator writes in a form of its own.
  record Own(OwnKernels own) implements Several {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return own.algorithm(step);
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      return own.kernels(step);
    }
  }

  /// Scalar loops in the order of the output's memory.
  ///
  /// @param why what keeps a faster form from the node
  record Loop(String why) implements CpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return step.node().op() instanceof Op.Elementwise map
          ? MapKernel.algorithm(step, map).orElseGet(() -> Algorithm.plain(why))
          : Algorithm.plain(why);
    }
  }

  /// Register tile of `rows` × `vectors·16` columns over packed columns.
  record PackedGemm(int rows, int vectors, Weights weights, VectorEpilogue epilogue)
      implements CpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(
          "packed matrix product%s, tile %d x %d"
              .formatted(weights.areFours() ? " of bytes" : "", rows, vectors * VectorText.LANES));
    }
  }

  /// Register tile of `pixels` output pixels × `blocks·16` output channels.
  ///
  /// @param why what keeps Winograd's form from it, empty where it has no such form
  record DirectConv(int blocks, int pixels, Weights weights, String why, VectorEpilogue epilogue)
      implements CpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return new Algorithm(
          "direct convolution, tile %d pixels x %d channels"
              .formatted(pixels, blocks * VectorText.LANES),
          false,
          why);
    }
  }

  /// One filter per channel, sixteen channels at a time: register tile of `pixels` output pixels.
  record Depthwise(int pixels, VectorEpilogue epilogue) implements CpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("depthwise convolution, tile %d pixels x 16 channels".formatted(pixels));
    }
  }

  /// Register tile of `pixels` output pixels, each a stride from the next, x `blocks` vectors of
  /// output channels.
  record DirectConvTranspose(int blocks, int pixels, VectorEpilogue epilogue)
      implements CpuStrategy {
    /// Output channels of a tile.
    int lanes() {
      return blocks * VectorText.LANES;
    }

    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(
          "transposed convolution, tile %d pixels x %d channels".formatted(pixels, lanes()));
    }
  }

  /// Sixteen input channels of sixteen pixels at a time, to one output channel after the other.
  record ToFewChannels(FewChannels form) implements Several {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(
          (form.isTransposed() ? "transposed convolution" : "convolution")
              + " to few channels, tile 16 pixels");
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      return List.of(form.write(step));
    }

    @Override
    public boolean canWrite(LoweredStep step) {
      return form.canWrite(step);
    }
  }

  /// Attention, keys a block at a time.
  record Attention(Op.Attention op) implements Several {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(AttentionText.algorithm(step.node(), op));
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      return List.of(AttentionText.write(step, op));
    }

    @Override
    public boolean canWrite(LoweredStep step) {
      return AttentionText.canWrite(step);
    }
  }

  /// Boxes of a class by one work item.
  record Boxes() implements Several {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(NonMaxSuppressionBlocks.algorithm());
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      return List.of(NonMaxSuppressionBlocks.write(step));
    }
  }

  /// All steps of a recurrent layer for a few rows of the batch.
  record RowsOfSteps() implements Several {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(RowsOfStates.algorithm(step.node()));
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      return List.of(RowsOfStates.write(step));
    }

    @Override
    public boolean canWrite(LoweredStep step) {
      return RowsOfStates.canWrite(step);
    }
  }

  /// All steps of a recurrent layer for one row of the batch, element by element.
  record StepsOfRow() implements Several {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.plain(
          "its elements are not 32-bit floats, its weights are computed, or a function has no vector form");
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      KernelText text = RowLoop.text(step, "(long)@globalId + first");
      return List.of(new KernelText.Written(text, new Launch.Items(RowLoop.rows(step), 1)));
    }
  }

  /// Sixteen channels at a time.
  record BlockedPool(VectorEpilogue epilogue) implements CpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("pool, 16 channels");
    }
  }
}
