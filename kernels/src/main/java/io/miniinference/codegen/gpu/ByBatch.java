package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// A product whose tile follows from the batch of a request, or a convolution whose strip does:
/// small ones where there are few, so that every multiprocessor has one, large ones where there are
/// enough. One kernel of them is launched. All add up the products of an element in the same order,
/// so that a row's bits do not depend on the batch that it is in.
///
/// @param variants at least two, for larger batches one after the other
record ByBatch(List<Variant> variants) implements GpuStrategy.Several {

  /// A product for batches from `from` on.
  record Variant(long from, GpuStrategy product) {}

  ByBatch {
    variants = List.copyOf(variants);
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return variants.getLast().product().algorithm(step);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return variants.stream().allMatch(variant -> GpuTarget.canWrite(step, variant.product()));
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    List<KernelText.Written> kernels = new ArrayList<>();
    for (int i = 0; i < variants.size(); i++) {
      long until = i + 1 < variants.size() ? variants.get(i + 1).from() : Long.MAX_VALUE;
      KernelText.Written kernel = write(variants.get(i).product(), step, failures);
      Launch.Groups work = (Launch.Groups) kernel.work();
      var batches = new Launch.Batches(variants.get(i).from(), until);
      kernels.add(new KernelText.Written(kernel.text(), work.at(batches)));
    }
    return kernels;
  }

  private static KernelText.Written write(GpuStrategy product, LoweredStep step, int failures) {
    return product instanceof TiledMatMul matrices
        ? io.miniinference.codegen.gpu.TiledMatMul.write(
            step, (Op.MatMul) step.node().op(), matrices, failures)
        : GpuTarget.convolve(step, (Op.Conv) step.node().op(), product);
  }
}
