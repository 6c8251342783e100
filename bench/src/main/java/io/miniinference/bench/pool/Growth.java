package io.miniinference.bench.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How a time grows with the number of live blocks: what each doubling of it adds. Where that stays
/// the same, the time grows with the logarithm.
final class Growth {
  private final List<Point> points = new ArrayList<>();

  private record Point(int live, double nanos) {}

  /// @param live more than in the point before
  void add(int live, double nanos) {
    points.add(new Point(live, nanos));
  }

  /// Nanoseconds that a doubling adds, from each point to the next.
  double[] perDoubling() {
    return IntStream.range(1, points.size())
        .mapToDouble(i -> perDoubling(points.get(i - 1), points.get(i)))
        .toArray();
  }

  private static double perDoubling(Point from, Point to) {
    return (to.nanos - from.nanos) * Math.log(2) / Math.log((double) to.live / from.live);
  }

  /// Such as `9.1 ns from 10 to 1,000 and 9.5 ns from 1,000 to 100,000`.
  String text() {
    double[] steps = perDoubling();
    return IntStream.range(0, steps.length)
        .mapToObj(i ->
            "%.1f ns from %,d to %,d"
                .formatted(steps[i], points.get(i).live, points.get(i + 1).live))
        .collect(Collectors.joining(" and "));
  }
}
