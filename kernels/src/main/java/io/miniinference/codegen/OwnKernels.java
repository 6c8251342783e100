package io.miniinference.codegen;

import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// The kernels of one operator in a form of its own, which its writer knows and no other.
public interface OwnKernels {

  /// How they compute it, for those who look at a plan.
  Algorithm algorithm(LoweredStep step);

  /// The kernels, one after the other; none where there is nothing to do.
  List<KernelText.Written> kernels(LoweredStep step);
}
