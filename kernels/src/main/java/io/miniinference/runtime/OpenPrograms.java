package io.miniinference.runtime;

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
final class OpenPrograms implements AutoCloseable {
  /// Most kernels that are kept for a model: sizes that values decide could ask for any number.
  static final int MOST_KERNELS = 1024;

  private final Device device;
  private final OpenKernels kernels;
  private final List<DeviceProgram> programs = new ArrayList<>();

  OpenPrograms(Device device, OpenKernels kernels) {
    this.device = device;
    this.kernels = kernels;
  }

  /// The launches of one shape. Kernels that no shape needed before are built.
  ///
  /// @param others the model for other shapes, asked for before anything is built
  synchronized Generated generate(LoweredProgram program, Supplier<List<LoweredProgram>> others) {
    Generated generated = kernels.fit(program, others);
    if (!generated.code().kernels().isEmpty()) {
      programs.add(device.build(generated.code()));
      kernels.built();
    }
    return generated;
  }

  /// Whether there are so many kernels that further shapes have programs of their own.
  synchronized boolean isFull() {
    return kernels.kernels() >= MOST_KERNELS;
  }

  /// Number of kernels.
  synchronized int kernels() {
    return kernels.kernels();
  }

  synchronized List<DeviceProgram> programs() {
    return List.copyOf(programs);
  }

  @Override
  public synchronized void close() {
    programs.forEach(DeviceProgram::close);
    programs.clear();
  }
}
