package io.miniinference.plan.planner;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Condition;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.coalesce.Candidate;
import io.miniinference.plan.loops.CopyAvoidance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which merges were made of programs that differ in nothing but sizes, as those of one model for
/// several shapes do. A program whose candidates come in the same order, and lie as far from where
/// vectors begin, has those merges attempted alone: that all other attempts fail is half of the
/// time of planning. Each is judged by this program's own sizes; where one is not allowed, all is
/// decided anew. Why others were refused is told as it was of the program before.
///
/// Threads may share one.
public final class EarlierDecisions {
  /// Programs are alike in a vector's elements of sizes, and in what else tells them apart.
  private static final int MOST = 64;

  /// Elements of a vector, after which places repeat.
  private static final int PERIOD = 16;

  private final int most;
  private final Map<Alike, Decisions> known;

  private EarlierDecisions(int most) {
    this.most = most;
    known =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Alike, Decisions> eldest) {
            return size() > most;
          }
        };
  }

  /// Of a program that is planned once.
  public static EarlierDecisions none() {
    return new EarlierDecisions(0);
  }

  /// Of a program that is planned for many sizes.
  public static EarlierDecisions many() {
    return new EarlierDecisions(MOST);
  }

  /// Whether others are told what is decided.
  boolean areRemembered() {
    return most > 0;
  }

  /// What was decided.
  ///
  /// @param isExecuted whether candidates were attempted in the order of execution
  /// @param made the places of the candidates that were merged, in the order in which they were
  /// @param reach of the copies that loops avoid; null for none
  /// @param obstacles of those that were not merged, by their places, once that was asked
  record Decisions(
      boolean isExecuted,
      List<Integer> made,
      CopyAvoidance.@Nullable Reach reach,
      Map<Integer, Condition> obstacles) {
    Decisions(boolean isExecuted, List<Integer> made) {
      this(isExecuted, List.copyOf(made), null, Map.of());
    }

    Decisions with(CopyAvoidance.Reach other) {
      return new Decisions(isExecuted, made, other, obstacles);
    }

    Decisions with(Map<Integer, Condition> others) {
      return new Decisions(isExecuted, made, reach, Map.copyOf(others));
    }
  }

  /// Equal for programs that are taken to have the same merges.
  record Alike(PlanOptions options, List<Long> candidates) {
    static Alike of(PlanOptions options, List<Candidate> candidates) {
      List<Long> all = new ArrayList<>();
      for (Candidate candidate : candidates) {
        all.add((long) candidate.step().number());
        all.add(candidate.isCopy() ? candidate.isSmallPart() ? 2L : 1L : 0L);
        add(candidate.source(), all);
        add(candidate.destination(), all);
      }
      return new Alike(options, all);
    }

    private static void add(Array array, List<Long> all) {
      Block block = array.block();
      IndexFunction index = array.index();
      all.add((long) block.id());
      add(block.sizeBytes(), all);
      add(index.offset(), all);
      index
          .axes()
          .forEach(axis -> {
            add(axis.extent(), all);
            add(axis.stride(), all);
          });
    }

    private static void add(Affine size, List<Long> all) {
      all.add(alike(size.constant()));
      all.add(alike(size.perBatch()));
    }

    /* None and one are sizes of their own. */
    private static long alike(long size) {
      return size >= 0 && size <= 1 ? size : 2 + Math.floorMod(size, PERIOD);
    }
  }

  synchronized @Nullable Decisions of(Alike program) {
    return known.get(program);
  }

  synchronized void keep(Alike program, Decisions decisions) {
    known.put(program, decisions);
  }
}
