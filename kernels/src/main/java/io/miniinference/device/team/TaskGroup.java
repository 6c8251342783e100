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
  private final Pieces pieces;
  private final Pace pace;
  private int size;
  private int launch;

  /// @param launches of the sequence
  /// @param mostPieces into which a launch is cut for each member
  TaskGroup(Team team, Shares shares, int launches, int mostPieces) {
    this.team = team;
    this.shares = shares;
    members = new int[team.size()];
    pieces = new Pieces(team.size());
    pace = new Pace(launches, mostPieces);
  }

  /// Begins a run with its head alone.
  void begin(int head) {
    members[0] = head;
    size = 1;
  }

  /// Runs one launch, and waits until all of its items are done.
  ///
  /// @param grain fewest items worth a worker of their own, as long as no run has shown what they
  ///   take
  void run(int launch, long items, int grain) {
    int parts = recruited(pace.members(launch, items, grain, team.size()));
    if (parts == 1) {
      timed(launch, 0, items);
    } else {
      share(launch, items, parts);
    }
  }

  private void share(int launch, long items, int parts) {
    this.launch = launch;
    pieces.cut(items, pace.pieces(launch, items, parts), parts);
    for (int i = 1; i < parts; i++) {
      team.worker(members[i]).post(this, i);
    }
    Throwable failure = own();
    for (int i = 1; i < parts; i++) {
      Throwable other = team.worker(members[i]).join();
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

  /* What the head claims first shows the pace. */
  private @Nullable Throwable own() {
    try {
      long claimed = pieces.claim(0);
      if (claimed != Pieces.NONE) {
        timed(launch, pieces.firstItem(claimed), pieces.endItem(claimed));
        work(0);
      }
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /* Runs items on the head. */
  private void timed(int launch, long first, long end) {
    long start = System.nanoTime();
    shares.run(members[0], launch, first, end - first);
    pace.took(launch, end - first, System.nanoTime() - start);
  }

  /// Claims and runs pieces as a member as long as there are any.
  void work(int member) {
    long claimed = pieces.claim(member);
    while (claimed != Pieces.NONE) {
      long first = pieces.firstItem(claimed);
      shares.run(members[member], launch, first, pieces.endItem(claimed) - first);
      claimed = pieces.claim(member);
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
