package io.miniinference.device.fault;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.KernelBuild;
import io.miniinference.device.Launch;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.ProgramCode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// A device that works as the one below it does until [Faults] has it fail. For tests and
/// benchmarks of what is above devices.
public final class FaultyDevice implements Device {
  private final Device device;
  private final Faults faults;
  private volatile boolean lost;

  public FaultyDevice(Device device, Faults faults) {
    this.device = device;
    this.faults = faults;
  }

  private void reach(Faults.Step step) {
    if (faults.reach(step)) {
      lost = true;
    }
    faults.fail(step, lost);
  }

  @Override
  public DeviceInfo info() {
    return device.info();
  }

  @Override
  public boolean healthy() {
    return !lost && device.healthy();
  }

  @Override
  public void openPool(long capacityBytes) {
    reach(Faults.Step.OPEN_POOL);
    device.openPool(capacityBytes);
  }

  @Override
  public void upload(long poolOffsetBytes, MemorySegment source) {
    reach(Faults.Step.UPLOAD);
    device.upload(poolOffsetBytes, source);
  }

  @Override
  public void download(long poolOffsetBytes, MemorySegment target) {
    device.download(poolOffsetBytes, target);
  }

  @Override
  public DeviceProgram build(ProgramCode code) {
    reach(Faults.Step.BUILD);
    return device.build(code);
  }

  @Override
  public ExecutionContext prepare(
      List<DeviceProgram> programs, List<Launch> launches, StagingSize io) {
    reach(Faults.Step.PREPARE);
    return new FaultyContext(device.prepare(programs, launches, io));
  }

  @Override
  public DriverCalls driverCalls() {
    return device.driverCalls();
  }

  @Override
  public Optional<KernelBuild> building() {
    return device.building();
  }

  @Override
  public void close() {
    device.close();
  }

  /// Launches that may fail.
  private final class FaultyContext implements ExecutionContext {
    private final ExecutionContext context;

    FaultyContext(ExecutionContext context) {
      this.context = context;
    }

    @Override
    public void bind(Binding binding, int n) {
      context.bind(binding, n);
    }

    @Override
    public MemorySegment input(int index) {
      return context.input(index);
    }

    @Override
    public MemorySegment output(int index) {
      return context.output(index);
    }

    @Override
    public void zero(long poolOffsetBytes, long sizeBytes) {
      context.zero(poolOffsetBytes, sizeBytes);
    }

    @Override
    public void run(boolean parallel, LaunchSequence script) {
      reach(Faults.Step.RUN);
      context.run(parallel, script);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
