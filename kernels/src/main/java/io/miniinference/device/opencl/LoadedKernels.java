package io.miniinference.device.opencl;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The kernels of open programs that PoCL has loaded in this process, for all devices.
///
/// PoCL 3.1 keeps the 128 kernels of a process that were launched last. One that it dropped it
/// loads again, for grids up to the width of whatever launch comes next, and once more when a wider
/// one comes. With two of a kind it takes one for the other when two threads end launches of
/// different widths, and aborts the process. So all kernels are launched at their widest first, and
/// those of open programs are launched again before what was loaded since, and may be closed by
/// now, can push them out. Once there are too many for that, runs go one at a time.
final class LoadedKernels {
  static final LoadedKernels OF_PROCESS = new LoadedKernels();

  private static final int KEPT = 128;

  /// Leaves room to load some before all others must be launched again.
  private static final int MOST = 112;

  private final Set<Runnable> open = new LinkedHashSet<>();
  private final ReentrantLock oneAtATime = new ReentrantLock(true);

  /// The most kernels that can have been launched since all open ones were: those, open or closed
  /// by now, and all that were loaded since.
  private int recent;

  private volatile boolean crowded;

  /// The lock under which runs go one at a time, and alone on one worker; null while they need not.
  @Nullable ReentrantLock turn() {
    return crowded ? oneAtATime : null;
  }

  /// Launches a kernel for the first time. The caller holds [OpenClProgram#COMPILER].
  ///
  /// @param launch launches it at its widest and waits; again whenever it might be dropped
  /// @param settle waits for all runs that began before [#turn] was there
  void load(Runnable launch, Runnable settle) {
    open.add(launch);
    recent++;
    if (open.size() > MOST) {
      loadInTurn(launch, settle);
    } else if (crowded) {
      launchAllInTurn();
    } else if (recent > KEPT) {
      launchAll();
    } else {
      launch.run();
    }
  }

  private void loadInTurn(Runnable launch, Runnable settle) {
    if (!crowded) {
      crowded = true;
      settle.run();
    }
    oneAtATime.lock();
    try {
      launch.run();
    } finally {
      oneAtATime.unlock();
    }
  }

  private void launchAllInTurn() {
    oneAtATime.lock();
    try {
      launchAll();
      crowded = false;
    } finally {
      oneAtATime.unlock();
    }
  }

  /* The newest last, so that what is dropped for it is none of the others. */
  private void launchAll() {
    open.forEach(Runnable::run);
    recent = open.size();
  }

  /// Forgets a kernel whose program is closed. The caller holds [OpenClProgram#COMPILER].
  void forget(Runnable launch) {
    open.remove(launch);
  }
}
