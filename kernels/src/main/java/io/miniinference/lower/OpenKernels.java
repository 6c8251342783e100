package io.miniinference.lower;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The kernels of one model with open sizes, for all its shapes: what differs from shape to shape
/// comes with the launch ([Generated#numbers]), so that a kernel is built once. For one thread at a
/// time.
public interface OpenKernels {

  /// The launches of a program, over kernels that are there where they fit.
  ///
  /// @param piece the rows that are to go through the program together, if any are
  /// @param others the same model for other shapes, asked for where a kernel is missing: what
  ///   differs among them is no constant of it. Those that others lack are made with it, so that
  ///   nothing is built when such a shape comes
  /// @return launches of kernels that are there, and of those in [Generated#code], which are not
  Generated fit(
      LoweredProgram program, Optional<RowPiece> piece, Supplier<List<LoweredProgram>> others);

  /// Does what [#fit] does for a shape whose kernels are there, and keeps nothing of it: any thread
  /// may while another one builds what the last program lacked.
  ///
  /// @return number of launches found
  int rehearse(LoweredProgram program, Optional<RowPiece> piece);

  /// Number of kernels that the last program lacked.
  int lacking();

  /// Takes note that the kernels which the last program lacked have been built.
  void built();

  /// Whether open sizes ([io.miniinference.layout.Affine#isOpen]) are told apart by a few ranges,
  /// each with kernels of its own. If not, kernels are chosen for all sizes at once.
  boolean hasRanges();

  /// Number of kernels that are there.
  int kernels();
}
