package io.miniinference.plan.packing;

import io.miniinference.plan.packing.SearchReport.Ending;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Packs rectangles in time × address: greedy orders first, then, where they miss the goal, an
/// exact search.
///
/// The goal is what is live at one time, or the capacity if that is more. Stretches of time between
/// which nothing is live are packed one by one; what one of them needs, the next may use. The
/// result depends on nothing but the problem, unless the time limit strikes, which the report says.
public final class RectanglePacker {
  private final PackingProblem problem;
  private final long unit;
  private final Instance instance;
  private final long bound;
  private final Deadline deadline;
  private final long[] offsets;
  private long goal;
  private long nodesLeft;
  private SearchReport report = SearchReport.NOT_NEEDED;

  private RectanglePacker(PackingProblem problem) {
    this.problem = problem;
    List<Rectangle> rounded = Alignment.rounded(problem.rectangles(), problem.alignmentBytes());
    requireCountable(rounded);
    unit = unit(rounded);
    instance = Instance.of(rounded, unit);
    bound = instance.bound();
    goal = Math.max(bound, problem.capacityBytes() / unit);
    deadline = new Deadline(problem.limits().time());
    nodesLeft = problem.limits().nodes();
    offsets = new long[instance.count()];
  }

  /// The best packing found.
  ///
  /// @throws ArithmeticException if all sizes together do not fit 64 bits
  public static Packing pack(PackingProblem problem) {
    return new RectanglePacker(problem).packed();
  }

  /* No sum of sizes overflows after this. */
  private static void requireCountable(List<Rectangle> rectangles) {
    long total = 0;
    for (Rectangle rectangle : rectangles) {
      total = Math.addExact(total, rectangle.sizeBytes());
    }
  }

  /* The greatest common divisor of all sizes. */
  private static long unit(List<Rectangle> rectangles) {
    long divisor =
        rectangles.stream().mapToLong(Rectangle::sizeBytes).reduce(0, RectanglePacker::divisor);
    return Math.max(1, divisor);
  }

  private static long divisor(long a, long b) {
    return b == 0 ? a : divisor(b, a % b);
  }

  private Packing packed() {
    int[] solid =
        IntStream.range(0, instance.count()).filter(i -> instance.size()[i] > 0).toArray();
    for (int[] part : instance.only(solid).partsInTime()) {
      pack(Arrays.stream(part).map(i -> solid[i]).toArray());
    }
    return new Packing(
        Arrays.stream(offsets).map(o -> o * unit).toArray(),
        instance.peak(offsets) * unit,
        bound * unit,
        report);
  }

  private void pack(int[] which) {
    Instance part = instance.only(which);
    long[] packed = Overlaps.fit(part) ? packed(part, which) : tooLarge(part);
    for (int k = 0; k < which.length; k++) {
      offsets[which[k]] = packed[k];
    }
    goal = Math.max(goal, part.peak(packed));
  }

  private long[] tooLarge(Instance part) {
    long[] online = OnlinePlacer.place(part);
    if (part.peak(online) > goal) {
      report = report.and(new SearchReport(0, Ending.TOO_LARGE));
    }
    return online;
  }

  private long[] packed(Instance part, int[] which) {
    Overlaps overlaps = new Overlaps(part);
    long[] greedy = greedy(part, new GreedyPlacer(part, overlaps), which);
    if (part.peak(greedy) <= goal) {
      return greedy;
    }
    PeakSearch search = new PeakSearch(part, overlaps, greedy, goal, deadline);
    SearchReport found = search.run(nodesLeft);
    nodesLeft -= found.nodes();
    report = report.and(found);
    return search.offsets();
  }

  private long[] greedy(Instance part, GreedyPlacer placer, int[] which) {
    Optional<long[]> like =
        problem
            .earlier()
            .map(e -> placer.like(Arrays.stream(which).mapToLong(i -> e.offsets()[i]).toArray()));
    if (like.isPresent() && part.peak(like.get()) <= goal) {
      return like.get();
    }
    long[] greedy = placer.best(goal);
    return like.isPresent() && part.peak(like.get()) < part.peak(greedy) ? like.get() : greedy;
  }
}
