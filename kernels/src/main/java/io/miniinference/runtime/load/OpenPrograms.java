package io.miniinference.runtime.load;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.OpenKernels;
import io.miniinference.lower.RowPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The built kernels of a model with open sizes, which all its shapes share, until the model is
/// closed.
public final class OpenPrograms implements AutoCloseable {
  /// Most kernels that are kept for a model: sizes that values decide could ask for any number.
  public static final int MOST_KERNELS = 1024;

  private final Device device;
  private final OpenKernels kernels;
  private final List<DeviceProgram> programs = new ArrayList<>();
  private volatile int count;

  public OpenPrograms(Device device, OpenKernels kernels) {
    this.device = device;
    this.kernels = kernels;
  }

  /// The launches of one shape. Kernels that no shape needed before are built.
  ///
  /// @param piece the rows that are to go through the program together, if any are
  /// @param others the model for other shapes, asked for before anything is built
  /// @param rehearsal what a further shape would do, called while something is built
  public synchronized Generated generate(
      LoweredProgram program,
      Optional<RowPiece> piece,
      Supplier<List<LoweredProgram>> others,
      Runnable rehearsal) {
    Generated generated = kernels.fit(program, piece, others);
    if (!generated.code().kernels().isEmpty()) {
      try (Rehearsal _ = Rehearsal.start(rehearsal)) {
        programs.add(device.build(generated.code()));
      }
      kernels.built();
      count = kernels.kernels();
    }
    return generated;
  }

  /// Does what [#generate] does of a shape for which nothing is built, and keeps nothing of it; for
  /// its rehearsal.
  public void rehearse(LoweredProgram program, Optional<RowPiece> piece) {
    kernels.rehearse(program, piece);
  }

  /// The launches of one shape as [#generate] makes them after those of earlier calls, and builds
  /// nothing: the kernels count as built, so that no shape can be served from here.
  ///
  /// @param others as for [#generate]
  public synchronized Generated planned(
      LoweredProgram program, Optional<RowPiece> piece, Supplier<List<LoweredProgram>> others) {
    Generated generated = kernels.fit(program, piece, others);
    kernels.built();
    return generated;
  }

  /// How many kernels would be built for one shape, and are not.
  ///
  /// @param others as for [#generate]
  public synchronized int missing(LoweredProgram program, Supplier<List<LoweredProgram>> others) {
    kernels.fit(program, Optional.empty(), others);
    return kernels.lacking();
  }

  /// Whether there are so many kernels that further shapes have programs of their own.
  public synchronized boolean isFull() {
    return kernels.kernels() >= MOST_KERNELS;
  }

  /// Whether kernels are chosen by ranges of what is open.
  public synchronized boolean haveRanges() {
    return kernels.hasRanges();
  }

  /// Number of kernels, which does not wait for what is built now.
  public int kernels() {
    return count;
  }

  public synchronized List<DeviceProgram> programs() {
    return List.copyOf(programs);
  }

  @Override
  public synchronized void close() {
    programs.forEach(DeviceProgram::close);
    programs.clear();
  }
}
