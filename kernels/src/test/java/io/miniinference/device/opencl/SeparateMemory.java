package io.miniinference.device.opencl;

import io.miniinference.device.Device;
import io.miniinference.device.TestCache;
import java.nio.file.Path;

/// A device whose memory is its own, as a GPU's is, where there is no GPU.
public final class SeparateMemory {
  private SeparateMemory() {}

  /// @param cache for built programs
  /// @param streams as many as it says that it has; it has one queue
  public static Device open(Path cache, int streams) {
    OpenClTarget target = OpenClTargets.find(TestCache.FOLDER).targets().getFirst();
    return new OpenClDevice(target.asSeparateMemory(streams), cache);
  }
}
