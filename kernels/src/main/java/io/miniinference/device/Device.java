package io.miniinference.device;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// A place that runs programs over one pool buffer: an OpenCL device, an NVIDIA GPU behind the CUDA
/// driver, or the JVM. All obey this contract.
///
/// Everything that allocates, builds or blocks for long happens in [#openPool], [#build] and
/// [#prepare], at load time. [ExecutionContext#run] is the request path.
public interface Device extends AutoCloseable {

  DeviceInfo info();

  /// Whether nothing has failed that says the device is lost. A device does not recover: close it
  /// and open another.
  boolean healthy();

  /// Allocates the one pool buffer and touches each of its pages, so that a lack of memory shows
  /// now. Called once.
  ///
  /// @throws DeviceException if the device cannot give so much
  void openPool(long capacityBytes);

  /// Copies host bytes into the pool, blocking. For weights, at load.
  void upload(long poolOffsetBytes, MemorySegment source);

  /// Copies pool bytes to the host, blocking. For tests and tools.
  void download(long poolOffsetBytes, MemorySegment target);

  /// Builds a program, or takes it from the cache on disk. Safe to call from any thread.
  ///
  /// @throws DeviceException with the build log
  DeviceProgram build(ProgramCode code);

  /// Prepares a sequence of launches of one program for one instance of a model: kernel objects
  /// with arguments, staging memory. Every kernel has been launched once when this returns, with `n
  /// = −1`, at which a kernel must do nothing (see [ProgramCode]).
  ///
  /// @param programs which have the kernels of the launches, each under a name of its own
  /// @param launches in execution order
  /// @param io how much staging is needed
  ExecutionContext prepare(List<DeviceProgram> programs, List<Launch> launches, StagingSize io);

  /// As above, with all kernels in one program.
  default ExecutionContext prepare(DeviceProgram program, List<Launch> launches, StagingSize io) {
    return prepare(List.of(program), launches, io);
  }

  /// The kernels that the driver has been compiling for some time; empty if it compiles none.
  default Optional<KernelBuild> building() {
    return Optional.empty();
  }

  /// Counts of what crossed into the driver so far.
  DriverCalls driverCalls();

  /// Releases the pool and everything built. Idempotent.
  @Override
  void close();

  /// Staging bytes that an instance needs at its largest batch: the sums over inputs and over
  /// outputs (failure slots count as an output), each rounded up to 256.
  ///
  /// @param readBytes of the largest [Launcher#read] of a run
  record StagingSize(long inputBytes, long outputBytes, long readBytes) {

    /// For runs that read nothing on the way.
    public StagingSize(long inputBytes, long outputBytes) {
      this(inputBytes, outputBytes, 0);
    }
  }
}
