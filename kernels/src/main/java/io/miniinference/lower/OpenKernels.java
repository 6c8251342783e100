package io.miniinference.lower;

import java.util.List;
import java.util.function.Supplier;

/// The kernels of one model with open sizes, for all its shapes: what differs from shape to shape
/// comes with the launch ([Generated#numbers]), so that a kernel is built once. For one thread at a
/// time.
public interface OpenKernels {

  /// The launches of a program, over kernels that are there where they fit.
  ///
  /// @param others the same model for other shapes, asked for where a kernel is missing: what
  ///   differs among them is no constant of it. Those that others lack are made with it, so that
  ///   nothing is built when such a shape comes
  /// @return launches of kernels that are there, and of those in [Generated#code], which are not
  Generated fit(LoweredProgram program, Supplier<List<LoweredProgram>> others);

  /// Takes note that the kernels which the last program lacked have been built.
  void built();

  /// Whether open sizes ([io.miniinference.layout.Affine#isOpen]) are told apart by a few ranges,
  /// each with kernels of its own. If not, kernels are chosen for all sizes at once.
  boolean hasRanges();

  /// Number of kernels that are there.
  int kernels();
}
