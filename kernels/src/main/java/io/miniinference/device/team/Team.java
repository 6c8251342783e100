package io.miniinference.device.team;

/// The workers of a device: as many as it has units that run launches side by side. A worker is the
/// right to use one unit, and a thread for the shares of others' launches.
///
/// A request enters as one worker and runs on its own thread, so that it costs no hand-over, or is
/// the head of a [TaskGroup] of all workers that are idle. Whoever finds none idle parks.
public final class Team implements AutoCloseable {
  private final Worker[] workers;
  private final Gate idle;

  public Team(String name, int size) {
    this(name, size, new Gate(size));
  }

  /// @param idle has a place for each worker
  Team(String name, int size, Gate idle) {
    this.idle = idle;
    workers = new Worker[size];
    for (int i = 0; i < size; i++) {
      workers[i] = new Worker(name + "-worker-" + i);
    }
  }

  int size() {
    return workers.length;
  }

  Worker worker(int index) {
    return workers[index];
  }

  /// Takes an idle worker, `preferred` if that is one: its caches are warm. Parks while none is.
  public int enter(int preferred) {
    idle.enter();
    return claim(preferred, Worker.SERVING);
  }

  /// Takes an idle worker into a crew, or returns −1.
  int recruit(int preferred) {
    return idle.tryEnter() ? claim(preferred, Worker.IN_CREW) : -1;
  }

  /// Holding a permit means that some worker is idle.
  private int claim(int preferred, int as) {
    int index = preferred;
    while (!workers[index].claim(as)) {
      index = index + 1 == workers.length ? 0 : index + 1;
    }
    return index;
  }

  /// Waits until all who entered before have left.
  public void settle() {
    idle.settle();
  }

  public void leave(int worker) {
    workers[worker].release();
    idle.leave();
  }

  /// Waits for whoever serves, lets nobody in after, and ends the threads.
  ///
  /// @throws io.miniinference.device.DeviceException if somebody serves on for too long: the
  ///   threads stay, then, and go with the process
  @Override
  public void close() {
    idle.close();
    for (Worker worker : workers) {
      worker.close();
    }
  }
}
