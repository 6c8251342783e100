package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.miniinference.device.DeviceException;
import io.miniinference.device.host.Counters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A context on one GPU, with the streams of its runs, and one on which runs are recorded. A thread
/// says which context it means before it calls ([#enter]).
final class CudaContext implements AutoCloseable {
  /// A mark without a time.
  private static final int NO_TIMING = 2;

  /// A stream that waits for none that is not named.
  private static final int NON_BLOCKING = 1;

  private static final System.Logger LOG = System.getLogger(CudaContext.class.getName());

  /// How threads wait for the device: those that look all the time answer some ten microseconds
  /// sooner, and take a core from others.
  private static final int WAITING = waiting(Runtime.getRuntime().availableProcessors());

  private static final int SPIN = 1;
  private static final int BLOCK = 4;
  private static final int PROCESSORS_TO_SPARE = 4;

  private final MemorySegment handle;
  private final CudaStreams streams;
  private final MemorySegment recording;
  private final Counters counters;
  private final Runnable onLoss;

  private CudaContext(MemorySegment handle, Counters counters, Runnable onLoss) {
    this.handle = handle;
    this.counters = counters;
    this.onLoss = onLoss;
    streams = CudaStreams.open();
    recording = newStream();
  }

  /// @param busId of the GPU; without it the only one is meant
  /// @throws DeviceException if there is no driver, or no such GPU
  static CudaContext open(Optional<String> busId, Counters counters, Runnable onLoss) {
    Cuda.call("cuInit", Cuda.find("cuInit", JAVA_INT), 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = arena.allocate(ADDRESS);
      Cuda.call(
          "cuCtxCreate",
          Cuda.find("cuCtxCreate_v2", ADDRESS, JAVA_INT, JAVA_INT),
          context,
          WAITING,
          number(busId));
      return new CudaContext(context.get(ADDRESS, 0), counters, onLoss);
    }
  }

  private static int waiting(int processors) {
    return processors >= PROCESSORS_TO_SPARE ? SPIN : BLOCK;
  }

  /* Parts of a GPU share its place, and of those a process has one. */
  private static int number(Optional<String> busId) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      Cuda.call("cuDeviceGetCount", Cuda.find("cuDeviceGetCount", ADDRESS), count);
      return busId.isEmpty() || count.get(JAVA_INT, 0) == 1 ? first() : at(busId.get());
    }
  }

  private static int first() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(JAVA_INT);
      Cuda.call("cuDeviceGet", Cuda.find("cuDeviceGet", ADDRESS, JAVA_INT), number, 0);
      return number.get(JAVA_INT, 0);
    }
  }

  /// The number of the GPU at a place on the host's bus.
  static int at(String busId) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(JAVA_INT);
      Cuda.call(
          "cuDeviceGetByPCIBusId(" + busId + ")",
          Cuda.find("cuDeviceGetByPCIBusId", ADDRESS, ADDRESS),
          number,
          arena.allocateFrom(busId));
      return number.get(JAVA_INT, 0);
    }
  }

  static MemorySegment newStream() {
    return made("cuStreamCreate", NON_BLOCKING);
  }

  /// A mark that streams come to, in the thread's context; to be given to [#releaseEvent].
  static MemorySegment newEvent() {
    return made("cuEventCreate", NO_TIMING);
  }

  void releaseEvent(MemorySegment event) {
    release(() -> Cuda.call("cuEventDestroy", Cuda.find("cuEventDestroy_v2", ADDRESS), event));
  }

  /* Makes something that a flag describes. */
  private static MemorySegment made(String function, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      Cuda.call(function, Cuda.find(function, ADDRESS, JAVA_INT), made, flags);
      return made.get(ADDRESS, 0);
    }
  }

  /// Makes this the context of the thread's next calls.
  void enter() {
    CudaCalls.setCurrent(handle);
  }

  CudaStreams streams() {
    return streams;
  }

  /// The stream for what belongs to no run.
  MemorySegment stream() {
    return streams.first().stream();
  }

  MemorySegment recording() {
    return recording;
  }

  Counters counters() {
    return counters;
  }

  /// Says that a call of the request path failed: the device may be lost.
  void lost() {
    onLoss.run();
  }

  /// Memory of the device.
  ///
  /// @return its address
  long allocate(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(JAVA_LONG);
      enter();
      Cuda.call(
          "cuMemAlloc of %,d bytes".formatted(bytes),
          Cuda.find("cuMemAlloc_v2", ADDRESS, JAVA_LONG),
          address,
          bytes);
      counters.allocations.increment();
      return address.get(JAVA_LONG, 0);
    }
  }

  /// What the GPU has left for all processes, for a message.
  String freeMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(JAVA_LONG);
      MemorySegment total = arena.allocate(JAVA_LONG);
      enter();
      Cuda.call("cuMemGetInfo", Cuda.find("cuMemGetInfo_v2", ADDRESS, ADDRESS), free, total);
      return "%,d of its %,d bytes free".formatted(free.get(JAVA_LONG, 0), total.get(JAVA_LONG, 0));
    }
  }

  void free(long address) {
    release(() -> Cuda.call("cuMemFree", Cuda.find("cuMemFree_v2", JAVA_LONG), address));
  }

  /// Gives something back. After a failure of the device no call succeeds, and the context's end
  /// gives back all.
  void release(Runnable call) {
    try {
      enter();
      call.run();
    } catch (DeviceException e) {
      LOG.log(System.Logger.Level.DEBUG, "left to the end of the context", e);
    }
  }

  /// Memory of the host that the device reads and writes by itself.
  MemorySegment pinned(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(ADDRESS);
      enter();
      Cuda.call(
          "cuMemHostAlloc of %,d bytes".formatted(bytes),
          Cuda.find("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT),
          address,
          bytes,
          0);
      counters.allocations.increment();
      return address.get(ADDRESS, 0).reinterpret(bytes);
    }
  }

  void freePinned(MemorySegment memory) {
    release(() -> Cuda.call("cuMemFreeHost", Cuda.find("cuMemFreeHost", ADDRESS), memory));
  }

  /// Whether threads that wait look all the time.
  boolean isSpinning() {
    return WAITING == SPIN;
  }

  /// Waits for all runs.
  void finish() {
    enter();
    streams.finish();
  }

  /// Gives back whatever was made in it.
  @Override
  public void close() {
    release(() -> Cuda.call("cuCtxDestroy", Cuda.find("cuCtxDestroy_v2", ADDRESS), handle));
  }
}
