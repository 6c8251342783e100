package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.gpu.patch.PatchTile;
import io.miniinference.codegen.gpu.tile.AttentionTile;
import io.miniinference.codegen.gpu.tile.ProductTile;
import io.miniinference.codegen.gpu.tile.WinogradTile;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.List;

/// What the GPU target decided for a node.
sealed interface GpuStrategy extends Strategy {

  /// Several kernels, one after the other.
  non-sealed interface Several extends GpuStrategy {
    /// The kernels of a step for which the strategy was chosen; none where there is nothing to do.
    ///
    /// @param failures block id of the failure slots
    List<KernelText.Written> kernels(LoweredStep step, int failures);

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

  /// A work item per element, or a work-group per row.
  record Plain() implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("a work item an element, or a group a row");
    }
  }

  /// Tiles of a matrix product.
  ///
  /// @param joined whether the left operand's axes but the last are one axis of rows
  record TiledMatMul(ProductTile tile, boolean joined) implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("matrix product in " + tile.about());
    }
  }

  /// Tiles of a convolution as a matrix product: output pixels by output channels.
  record TiledConv(ProductTile tile) implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("convolution as a matrix product in " + tile.about());
    }
  }

  /// Tiles of a convolution in Winograd's form.
  record WinogradTiles(WinogradTile tile) implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("Winograd F(2x2, 3x3), in tiles through local memory");
    }
  }

  /// A direct convolution whose work items own patches of an image.
  record Patches(PatchTile tile) implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("direct convolution by patches of an image, through local memory");
    }
  }

  /// A direct convolution whose work items own four channels of so many neighbouring pixels.
  record Strips(int pixels) implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(
          "direct convolution, a work item four channels of " + pixels + " neighbouring pixels");
    }
  }

  /// Attention in one kernel.
  record TiledAttention(AttentionTile tile) implements GpuStrategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of(tile.about());
    }
  }
}
