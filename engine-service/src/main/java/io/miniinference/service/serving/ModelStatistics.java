package io.miniinference.service.serving;

import io.miniinference.service.scheduling.RequestTimes;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// What one model did since it was loaded. Safe for many threads.
public final class ModelStatistics {
  private final LongAdder rows = new LongAdder();
  private final LongAdder executions = new LongAdder();
  private final AtomicLong lastMillis = new AtomicLong();
  private final Duration success = new Duration();
  private final Duration fail = new Duration();
  private final Duration queue = new Duration();
  private final Stages stages = new Stages();
  private final ConcurrentSkipListMap<Integer, Stages> batches = new ConcurrentSkipListMap<>();

  /// How often something happened and how long it took in all.
  public static final class Duration {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void add(long time) {
      count.increment();
      nanos.add(time);
    }

    public long count() {
      return count.sum();
    }

    public long nanos() {
      return nanos.sum();
    }
  }

  /// The stages on the device.
  public record Stages(Duration input, Duration infer, Duration output) {
    Stages() {
      this(new Duration(), new Duration(), new Duration());
    }

    void add(RequestTimes times) {
      input.add(times.inputNanos());
      infer.add(times.computeNanos());
      output.add(times.outputNanos());
    }
  }

  void succeeded(RequestTimes times, int requestRows) {
    rows.add(requestRows);
    lastMillis.set(System.currentTimeMillis());
    success.add(times.ended() - times.entered());
    queue.add(times.queueNanos());
    stages.add(times);
  }

  Stages batch(int size) {
    executions.increment();
    return batches.computeIfAbsent(size, _ -> new Stages());
  }

  /// Rows that were answered.
  public long inferences() {
    return rows.sum();
  }

  /// Batches that ran.
  public long executions() {
    return executions.sum();
  }

  /// When a request was last answered, in milliseconds since 1970; 0 for never.
  public long lastMillis() {
    return lastMillis.get();
  }

  public Duration success() {
    return success;
  }

  public Duration fail() {
    return fail;
  }

  public Duration queue() {
    return queue;
  }

  public Stages stages() {
    return stages;
  }

  /// The stages by number of rows.
  public SortedMap<Integer, Stages> batches() {
    return batches;
  }
}
