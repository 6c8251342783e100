package io.miniinference.bench.driver;

import io.miniinference.bench.measure.Contestant;
import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.measure.Quantiles;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// The driver as a contestant: one buffer is created, touched and released. It also keeps what each
/// of the three took.
public final class DriverTurnover implements Contestant {
  private final InProcess whole;
  private final List<DriverHeap.Cost> costs = new ArrayList<>();
  private final List<Double> creates = new ArrayList<>();
  private final List<Double> touches = new ArrayList<>();
  private final List<Double> releases = new ArrayList<>();

  public DriverTurnover(DriverHeap heap, Turnover turnover) {
    whole =
        new InProcess(
            "clCreateBuffer + first touch + release",
            switch (turnover) {
              case AT_ONCE -> () -> costs.add(heap.freedAtOnce());
              case IN_PLACE_OF_ANY -> () -> costs.add(heap.inPlaceOfAny());
            });
  }

  @Override
  public String name() {
    return whole.name();
  }

  @Override
  public double[] run(Slice slice) {
    costs.clear();
    double[] micros = whole.run(slice);
    creates.add(median(DriverHeap.Cost::create));
    touches.add(median(DriverHeap.Cost::touch));
    releases.add(median(DriverHeap.Cost::release));
    return micros;
  }

  private double median(ToLongFunction<DriverHeap.Cost> part) {
    return Quantiles.median(
        costs.stream().mapToDouble(cost -> part.applyAsLong(cost) / 1e3).toArray());
  }

  /// Time of `clCreateBuffer`, µs.
  public Spread create() {
    return spread(creates);
  }

  /// Time of the kernel that touches every page, µs, from setting its arguments to the end of the
  /// wait for it.
  public Spread touch() {
    return spread(touches);
  }

  /// Time of `clReleaseMemObject`, µs.
  public Spread release() {
    return spread(releases);
  }

  /// The first slice is a warm-up.
  private static Spread spread(List<Double> medians) {
    return Spread.of(medians.stream().skip(1).mapToDouble(Double::doubleValue).toArray());
  }
}
