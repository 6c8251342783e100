package io.miniinference.runtime.load;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.OpenKernels;
import java.util.ArrayList;
import java.util.List;
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
  /// @param others the model for other shapes, asked for before anything is built
  public synchronized Generated generate(
      LoweredProgram program, Supplier<List<LoweredProgram>> others) {
    Generated generated = kernels.fit(program, others);
    if (!generated.code().kernels().isEmpty()) {
      programs.add(device.build(generated.code()));
      kernels.built();
      count = kernels.kernels();
    }
    return generated;
  }

  /// How many kernels would be built for one shape, and are not.
  ///
  /// @param others as for [#generate]
  public synchronized int missing(LoweredProgram program, Supplier<List<LoweredProgram>> others) {
    return kernels.fit(program, others).code().kernels().size();
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
