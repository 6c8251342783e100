package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.miniinference.device.DeviceException;
import io.miniinference.device.Launch;
import io.miniinference.device.host.Bound;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A kernel of one launch of a prepared sequence, with its arguments: pool, batch size, first group
/// and offsets (`ProgramCode`). For one thread at a time.
final class CudaKernel {
  /// At which a kernel does nothing.
  private static final int WARM_UP = -1;

  /// The driver's limit for work-groups in dimensions 1 and 2.
  private static final int MOST_GROUPS = 65_535;

  private static final int POOL = 0;
  private static final int BATCH = 1;
  private static final int FIRST = 2;
  private static final int OFFSETS = 3;

  private final CudaContext context;
  private final CudaProgram.Kernel kernel;
  private final Launch launch;
  private final int[] local = {1, 1, 1};
  private final int[] groups = {1, 1, 1};

  /// A word for each argument.
  private final MemorySegment words;

  /// Where each is.
  private final MemorySegment addresses;

  CudaKernel(
      CudaContext context, CudaProgram.Kernel kernel, Launch launch, CudaPool pool, Arena arena) {
    this.context = context;
    this.kernel = kernel;
    this.launch = launch;
    int arguments = OFFSETS + launch.offsets().size();
    words = arena.allocate(JAVA_LONG, arguments);
    addresses = arena.allocate(ADDRESS, arguments);
    for (int i = 0; i < arguments; i++) {
      addresses.setAtIndex(ADDRESS, i, words.asSlice((long) i * Long.BYTES));
    }
    words.setAtIndex(JAVA_LONG, POOL, pool.address());
    if (launch.work() instanceof Launch.Groups work) {
      for (int d = 0; d < work.dimensions().size(); d++) {
        local[d] = work.dimensions().get(d).local();
      }
    }
  }

  /// Has the driver load it, with a group that does nothing.
  ///
  /// @return whether it was not loaded yet
  boolean warmUp() {
    boolean isCold = kernel.isLaunched().compareAndSet(false, true);
    if (isCold) {
      setInt(BATCH, WARM_UP);
      queue(context.stream());
    }
    return isCold;
  }

  /// Queues the launch with what it is bound to.
  ///
  /// @return how many launches of the driver that is
  int queue(Bound bound, int index, MemorySegment stream) {
    setInt(BATCH, bound.n());
    setInt(FIRST, 0);
    long[] offsets = bound.offsets(index);
    for (int i = 0; i < offsets.length; i++) {
      words.setAtIndex(JAVA_LONG, OFFSETS + i, offsets[i]);
    }
    return switch (launch.work()) {
      case Launch.Items _ -> {
        groups[0] = Math.toIntExact(bound.items(index));
        yield queue(stream);
      }
      case Launch.Groups work ->
          work.batches().contains(bound.n()) ? queue(work, bound.n(), stream) : 0;
    };
  }

  private int queue(Launch.Groups work, int n, MemorySegment stream) {
    List<Launch.Extent> dimensions = work.dimensions();
    for (int d = 0; d < dimensions.size(); d++) {
      groups[d] = Math.toIntExact(Bound.groups(dimensions.get(d), n));
      if (d > 0 && groups[d] > MOST_GROUPS) {
        throw new DeviceException(
            "kernel '%s' has %d work-groups in dimension %d at batch size %d; the most is %d"
                .formatted(launch.kernel(), groups[d], d, n, MOST_GROUPS));
      }
    }
    return work.inTurn() ? inTurn(stream) : queue(stream);
  }

  private int inTurn(MemorySegment stream) {
    int all = groups[0];
    int queued = 0;
    groups[0] = 1;
    for (int i = 0; i < all; i++) {
      setInt(FIRST, i);
      queued += queue(stream);
    }
    return queued;
  }

  private int queue(MemorySegment stream) {
    if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) {
      return 0;
    }
    CudaCalls.launch(kernel.function(), groups, local, stream, addresses);
    return 1;
  }

  private void setInt(int argument, int value) {
    words.set(JAVA_INT, (long) argument * Long.BYTES, value);
  }
}
