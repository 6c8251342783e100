package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.miniinference.device.DeviceException;
import io.miniinference.device.cuda.CudaStreams.Lane;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A word of pinned memory that the last kernel of a run writes, behind all outputs. A thread that
/// looks at it has them some microseconds before the driver tells that the run has ended.
///
/// @param word that the device writes by itself
record CudaMark(MemorySegment word) {
  static final long BYTES = Integer.BYTES;

  private static final VarHandle VALUE = JAVA_INT.varHandle();

  /// A tenth of a millisecond, about. A device that is lost never writes the word.
  private static final int LOOKS_BETWEEN_QUESTIONS = 2_000;

  long address() {
    return word.address();
  }

  /// Ahead of a run.
  void clear() {
    VALUE.setRelease(word, 0L, 0);
  }

  /// Waits for the run, without giving the processor away.
  ///
  /// @param lane that it is on
  /// @throws DeviceException if the device has failed
  void await(CudaContext context, Lane lane) {
    while (!isSeen()) {
      if (lane.isIdle(context) && !isSeen()) {
        throw new DeviceException("a run ended without the mark of its last kernel");
      }
    }
  }

  private boolean isSeen() {
    for (int look = 0; look < LOOKS_BETWEEN_QUESTIONS; look++) {
      if ((int) VALUE.getAcquire(word, 0L) != 0) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }
}
