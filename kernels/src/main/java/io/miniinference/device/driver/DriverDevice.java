package io.miniinference.device.driver;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.host.Counters;
import io.miniinference.device.team.Gate;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A device behind a driver: it has one pool, which is opened once, knows what was built and
/// prepared, and closes all of it in order.
///
/// @param <M> its pool
/// @param <P> its programs
public abstract class DriverDevice<M extends DevicePool, P extends DeviceProgram>
    implements Device {
  private final Counters counters = new Counters();
  private final Gate submitting = new Gate(1);
  private final Set<P> programs = ConcurrentHashMap.newKeySet();
  private final Set<ExecutionContext> prepared = ConcurrentHashMap.newKeySet();
  private final Class<P> kind;
  private @Nullable M pool;
  private boolean closed;
  private volatile boolean healthy = true;

  /// @param kind of program that this device builds
  protected DriverDevice(Class<P> kind) {
    this.kind = kind;
  }

  /// Takes the pool from the driver and touches each of its pages.
  ///
  /// @param capacityBytes as many as the device can give in one buffer, at most
  protected abstract M allocate(long capacityBytes);

  /// Ends what works for the device besides its driver, if anything does, before runs are waited
  /// for.
  protected void closeWorkers() {}

  /// Waits until the driver has done all that it was given.
  protected abstract void finish();

  /// Gives back what the driver holds besides pool, programs and what was prepared.
  protected abstract void closeDriver();

  /// Of calls into the driver.
  protected final Counters counters() {
    return counters;
  }

  /// Through which one thread at a time gives the driver a run.
  protected final Gate submitting() {
    return submitting;
  }

  /// Those built and not closed yet, to which a device adds what it builds.
  protected final Set<P> programs() {
    return programs;
  }

  /// To be called once the driver has said so.
  protected final void lost() {
    healthy = false;
  }

  @Override
  public final boolean healthy() {
    return healthy;
  }

  @Override
  public final synchronized void openPool(long capacityBytes) {
    checkOpen();
    if (pool != null) {
      throw new IllegalStateException("the pool is open already");
    }
    if (capacityBytes <= 0 || capacityBytes > info().maxPoolBytes()) {
      throw new DeviceException(
          "a pool of %,d bytes: %s can give 1 to %,d in one buffer; set engine.pool.capacity lower"
              .formatted(capacityBytes, info().name(), info().maxPoolBytes()));
    }
    pool = allocate(capacityBytes);
  }

  /// The open pool.
  ///
  /// @throws IllegalStateException if none is open, or the device is closed
  protected final synchronized M pool() {
    checkOpen();
    if (pool == null) {
      throw new IllegalStateException("no pool is open");
    }
    return pool;
  }

  @Override
  public final void upload(long poolOffsetBytes, MemorySegment source) {
    pool().upload(poolOffsetBytes, source);
  }

  @Override
  public final void download(long poolOffsetBytes, MemorySegment target) {
    pool().download(poolOffsetBytes, target);
  }

  /// @throws IllegalStateException if the device is closed
  protected final synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the device is closed");
    }
  }

  /// A program as this device built it.
  ///
  /// @throws IllegalArgumentException if another did, or it is closed
  protected final P ours(DeviceProgram program) {
    if (kind.isInstance(program) && programs.contains(kind.cast(program))) {
      return kind.cast(program);
    }
    throw new IllegalArgumentException("the program was not built by this device, or is closed");
  }

  /// Keeps in mind what is to be closed with the device.
  protected final ExecutionContext prepared(ExecutionContext commands) {
    prepared.add(commands);
    return commands;
  }

  /// What was prepared has been closed.
  protected final void closed(ExecutionContext commands) {
    prepared.remove(commands);
  }

  @Override
  public final void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    closeWorkers();
    submitting.close();
    finish();
    List.copyOf(prepared).forEach(ExecutionContext::close);
    List.copyOf(programs).forEach(DeviceProgram::close);
    if (pool != null) {
      pool.close();
    }
    closeDriver();
  }
}
