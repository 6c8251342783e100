package io.miniinference.device.team;

import io.miniinference.device.DeviceException;
import org.jspecify.annotations.Nullable;

/// The workers that share the launches of one run: its head, on the caller's thread, and those who
/// were idle. Grows between launches, when further workers have become idle. One per prepared
/// sequence, used again for each run, so that a run allocates nothing.
final class TaskGroup {
  private final Team team;
  private final Shares shares;
  private final int[] members;
  private int size;

  TaskGroup(Team team, Shares shares) {
    this.team = team;
    this.shares = shares;
    members = new int[team.size()];
  }

  /// Begins a run with its head alone.
  void begin(int head) {
    members[0] = head;
    size = 1;
  }

  /// Runs one launch in shares of at least `grain` items, and waits for all of them.
  void run(int launch, long items, int grain) {
    int parts = recruited((int) Math.clamp(items / grain, 1, team.size()));
    for (int i = 1; i < parts; i++) {
      long first = bound(items, i, parts);
      team.worker(members[i]).post(shares, launch, first, bound(items, i + 1, parts) - first);
    }
    Throwable failure = own(launch, bound(items, 1, parts));
    for (int i = 1; i < parts; i++) {
      Throwable other = team.worker(members[i]).join(members[0]);
      failure = failure == null ? other : failure;
    }
    rethrow(failure);
  }

  private int recruited(int wanted) {
    while (size < wanted) {
      int next = team.recruit((members[0] + size) % team.size());
      if (next < 0) {
        return size;
      }
      members[size++] = next;
    }
    return wanted;
  }

  private static long bound(long items, int part, int parts) {
    return part == parts ? items : items / parts * part + Math.min(part, items % parts);
  }

  private @Nullable Throwable own(int launch, long count) {
    try {
      shares.run(members[0], launch, 0, count);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new DeviceException("a worker failed: " + failure, failure);
    }
  }

  /// Lets all but the head go.
  void end() {
    while (size > 1) {
      team.leave(members[--size]);
    }
  }
}
