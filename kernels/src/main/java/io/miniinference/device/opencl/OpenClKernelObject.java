package io.miniinference.device.opencl;

import static org.jocl.CL.*;

import io.miniinference.device.DeviceException;
import io.miniinference.device.Launch;
import io.miniinference.device.host.Bound;
import io.miniinference.device.host.Counters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_command_queue;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;

/// A kernel object for one launch on one worker, with the arguments that it was given last: only
/// those that changed are set again. For one thread at a time.
final class OpenClKernelObject implements AutoCloseable {
  /// At warm-up a kernel must do nothing; see [io.miniinference.device.ProgramCode].
  static final int WARM_UP = -1;

  /// PoCL compiles a second form of a kernel for launches with a dimension of 65,535 or more.
  static final int LARGEST_GRID = 65_534;

  private static final int POOL = 0;
  private static final int BATCH = 1;
  private static final int FIRST = 2;
  static final int OFFSETS = 3;
  private static final long[] ONE = {1};

  private final String name;
  private final KernelHandles handles;
  private final cl_kernel handle;
  private final Counters counters;
  private final int largestGrid;
  private final ByteBuffer word =
      ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
  private final Pointer wordPointer = Pointer.to(word);
  private final long[] global = new long[3];
  private final long[] offsets;
  private int n = WARM_UP;
  private int first;
  private int version;

  OpenClKernelObject(
      KernelHandles handles, String name, int arguments, cl_mem pool, OpenClContext context) {
    this.name = name;
    this.handles = handles;
    counters = context.counters();
    largestGrid = context.target().isPocl() ? LARGEST_GRID : Integer.MAX_VALUE;
    offsets = new long[arguments];
    handle = handles.take(name);
    checkArguments(arguments);
    set(POOL, Sizeof.cl_mem, Pointer.to(pool));
    setInt(BATCH, n);
    setInt(FIRST, first);
    for (int i = 0; i < arguments; i++) {
      setLong(OFFSETS + i, 0);
    }
  }

  private void checkArguments(int arguments) {
    int[] count = {0};
    int code =
        CL.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, Sizeof.cl_uint, Pointer.to(count), null);
    Cl.check(code, "clGetKernelInfo of '" + name + "'");
    if (count[0] != OFFSETS + arguments) {
      throw new DeviceException(
          "kernel '%s' takes %d arguments, and its launch gives %d: pool, n, first and %d offsets"
              .formatted(name, count[0], OFFSETS + arguments, arguments));
    }
  }

  /// Takes over batch size and offsets, if they have changed since.
  void bind(Bound bound, int launch) {
    if (version == bound.version()) {
      return;
    }
    if (n != bound.n()) {
      n = bound.n();
      setInt(BATCH, n);
    }
    long[] next = bound.offsets(launch);
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] != next[i]) {
        offsets[i] = next[i];
        setLong(OFFSETS + i, next[i]);
      }
    }
    version = bound.version();
  }

  /// Queues `count` work items from `from` on, in as many pieces as the driver's grid needs.
  void queueItems(cl_command_queue queue, long from, long count) {
    for (long done = 0; done < count; done += largestGrid) {
      setFirst((int) (from + done));
      global[0] = Math.min(largestGrid, count - done);
      queue(queue, 1, ONE);
    }
  }

  /// Queues work-groups in one to three dimensions, dimension 0 in pieces.
  void queueGroups(cl_command_queue queue, Launch.Groups work, int batch, long[] local) {
    if (!work.batches().contains(batch)) {
      return;
    }
    int dimensions = local.length;
    for (int d = 1; d < dimensions; d++) {
      global[d] = Bound.groups(work.dimensions().get(d), batch) * local[d];
      if (global[d] > LARGEST_GRID) {
        throw new DeviceException(
            "kernel '%s' has %d work items in dimension %d at batch size %d; the most is %d"
                .formatted(name, global[d], d, batch, LARGEST_GRID));
      }
    }
    long groups = Bound.groups(work.dimensions().getFirst(), batch);
    long piece = work.inTurn() ? 1 : Math.max(1, largestGrid / local[0]);
    for (long done = 0; done < groups; done += piece) {
      setFirst((int) done);
      global[0] = Math.min(piece, groups - done) * local[0];
      queue(queue, dimensions, local);
    }
  }

  /// Launches work-groups that do nothing, so that the driver has compiled the kernel.
  ///
  /// On PoCL the grid is as wide as any will ever be: see [LoadedKernels].
  void warmUp(cl_command_queue queue, long[] local) {
    System.arraycopy(local, 0, global, 0, local.length);
    if (largestGrid == LARGEST_GRID) {
      widen(local);
    }
    queue(queue, local.length, local);
    OpenClContext.finish(queue, name);
  }

  /* In the dimension in which whole groups come closest to the limit. */
  private void widen(long[] local) {
    int widest = 0;
    for (int d = 1; d < local.length; d++) {
      if (largestGrid % local[d] < largestGrid % local[widest]) {
        widest = d;
      }
    }
    global[widest] = Math.max(1, largestGrid / local[widest]) * local[widest];
  }

  private void queue(cl_command_queue queue, int dimensions, long[] local) {
    int code =
        CL.clEnqueueNDRangeKernel(queue, handle, dimensions, null, global, local, 0, null, null);
    if (code != CL_SUCCESS) {
      throw Cl.failure(code, "clEnqueueNDRangeKernel", describe(dimensions, local));
    }
    counters.launches.increment();
  }

  private String describe(int dimensions, long[] local) {
    return "kernel '%s' with %s work items in groups of %s, n = %d, first = %d, offsets %s"
        .formatted(
            name,
            Arrays.toString(Arrays.copyOf(global, dimensions)),
            Arrays.toString(local),
            n,
            first,
            Arrays.toString(offsets));
  }

  private void setFirst(int value) {
    if (first != value) {
      first = value;
      setInt(FIRST, value);
    }
  }

  private void setInt(int argument, int value) {
    word.putInt(0, value);
    set(argument, Integer.BYTES, wordPointer);
  }

  private void setLong(int argument, long value) {
    word.putLong(0, value);
    set(argument, Long.BYTES, wordPointer);
  }

  private void set(int argument, int bytes, Pointer value) {
    int code = CL.clSetKernelArg(handle, argument, bytes, value);
    if (code != CL_SUCCESS) {
      throw Cl.failure(code, "clSetKernelArg", "argument " + argument + " of '" + name + "'");
    }
  }

  /// The local size that the kernel's text requires; zeros where it requires none.
  long[] requiredLocal(OpenClContext context) {
    long[] required = new long[3];
    int code =
        CL.clGetKernelWorkGroupInfo(
            handle,
            context.target().devices().getFirst(),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
            3L * Sizeof.size_t,
            Pointer.to(required),
            null);
    Cl.check(code, "clGetKernelWorkGroupInfo of '" + name + "'");
    return required;
  }

  @Override
  public void close() {
    handles.giveBack(name, handle);
  }
}
