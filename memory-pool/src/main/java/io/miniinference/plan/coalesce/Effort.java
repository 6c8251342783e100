package io.miniinference.plan.coalesce;

import io.miniinference.plan.live.Definition;
import java.util.List;

/// How much the search for merges may still look at. What an attempt looks at grows with all that
/// lies in its two blocks, and what lies there grows with the merges before, so that a file of very
/// many parts of one value would take time with their square. A merge saves memory and nothing
/// depends on it: when the effort is spent, the others are not made.
public final class Effort {
  /// Enough for any network that is drawn by hand; a few seconds on a slow core.
  private static final long MOST = 2_000_000;

  /// Branches that are compared in the time of one look at a content.
  private static final int BRANCHES_A_LOOK = 16;

  /// Uses of a content that are compared in that time.
  private static final int USES_A_LOOK = 16;

  /// Steps whose arrays are moved in that time.
  private static final int STEPS_A_LOOK = 4;

  /// Uses of a content that are moved in that time, each place anew.
  private static final int MOVED_USES_A_LOOK = 2;

  private long left;

  private Effort(long most) {
    left = most;
  }

  public static Effort forMerging() {
    return new Effort(MOST);
  }

  /// For attempts that only tell why a merge was not made.
  public static Effort forTelling() {
    return new Effort(MOST / 8);
  }

  /// Whether an attempt can be afforded, which is then paid for.
  public boolean affords(AliasState sharing, Candidate candidate) {
    int source = sharing.host(candidate.source());
    int destination = sharing.host(candidate.destination());
    long looks = cost(sharing, source) + (source == destination ? 0 : cost(sharing, destination));
    left -= looks * (1 + sharing.branches().size() / BRANCHES_A_LOOK);
    return left >= 0;
  }

  /// Pays for looking at steps in which an attempt moves a block.
  void spendOnSteps(int steps) {
    left -= steps / STEPS_A_LOOK;
  }

  /// Pays for moving contents with all their uses: of what a hundred thousand steps read, each
  /// attempt moves as many.
  void spendOnMoving(List<Definition> contents) {
    for (Definition content : contents) {
      left -= content.uses().size() / MOVED_USES_A_LOOK;
    }
  }

  private static long cost(AliasState sharing, int host) {
    long cost = 1;
    for (Definition content : sharing.contents(host)) {
      cost += 1 + content.uses().size() / USES_A_LOOK;
    }
    return cost;
  }
}
