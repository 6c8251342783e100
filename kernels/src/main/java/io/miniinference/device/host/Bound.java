package io.miniinference.device.host;

import io.miniinference.device.Binding;
import io.miniinference.device.Launch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a prepared sequence is bound to: batch size, offsets and numbers of items per launch,
/// computed when they change and not per run.
public final class Bound {
  private final Launch[] launches;
  private final long[] items;
  private final long[][] offsets;
  private final Map<Integer, List<Place>> places = new HashMap<>();
  private @Nullable Binding binding;
  private int n = -1;
  private int version;

  public Bound(List<Launch> launches) {
    this.launches = launches.toArray(Launch[]::new);
    items = new long[this.launches.length];
    offsets = new long[this.launches.length][];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = new long[this.launches[i].offsets().size()];
    }
  }

  /// Takes over a binding and a batch size.
  ///
  /// Bindings are made once per bucket, so another object is another binding.
  ///
  /// @return whether anything changed
  @SuppressWarnings("ReferenceEquality")
  public boolean bind(Binding next, int batch) {
    if (next == binding && batch == n) {
      return false;
    }
    if (batch < 0) {
      throw new IllegalArgumentException("batch size " + batch + " is negative");
    }
    // stays unbound if a size turns out to be wrong
    binding = null;
    resolve(next.offsets());
    for (int i = 0; i < launches.length; i++) {
      items[i] = number(launches[i], batch);
    }
    binding = next;
    n = batch;
    version++;
    return true;
  }

  private void resolve(long[] byId) {
    for (int i = 0; i < launches.length; i++) {
      List<Integer> ids = launches[i].offsets();
      for (int k = 0; k < offsets[i].length; k++) {
        offsets[i][k] = byId[ids.get(k)];
      }
    }
  }

  /// Changes one entry of the binding for the launches that take it.
  public void offset(int entry, long value) {
    for (Place place : places.computeIfAbsent(entry, this::placesOf)) {
      offsets[place.launch][place.argument] = value;
    }
    version++;
  }

  /* An argument of a launch. */
  private record Place(int launch, int argument) {}

  private List<Place> placesOf(int entry) {
    List<Place> found = new ArrayList<>();
    for (int i = 0; i < launches.length; i++) {
      for (int k = 0; k < offsets[i].length; k++) {
        if (launches[i].offsets().get(k) == entry) {
          found.add(new Place(i, k));
        }
      }
    }
    return found;
  }

  private static long number(Launch launch, int n) {
    long number =
        switch (launch.work()) {
          case Launch.Items work -> work.number(n);
          case Launch.Groups work -> groups(work, n);
        };
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "kernel '%s' has %d work items at batch size %d; the range is 0 to %d"
              .formatted(launch.kernel(), number, n, Integer.MAX_VALUE));
    }
    return number;
  }

  private static long groups(Launch.Groups work, int n) {
    long product = work.batches().contains(n) ? 1 : 0;
    for (int i = 0; i < work.dimensions().size(); i++) {
      long groups = groups(work.dimensions().get(i), n);
      boolean isSeries = work.inTurn() && i == 0;
      product = Math.multiplyExact(product, isSeries ? Math.min(1, groups) : groups);
    }
    return product;
  }

  /// The number of work-groups along one dimension.
  public static long groups(Launch.Extent extent, int n) {
    return Math.ceilDiv(extent.count().at(n), (long) extent.tile());
  }

  public int launches() {
    return launches.length;
  }

  public Launch launch(int index) {
    return launches[index];
  }

  /// The number of work items of a launch, or of work-groups.
  public long items(int launch) {
    return items[launch];
  }

  public long[] offsets(int launch) {
    return offsets[launch];
  }

  public int n() {
    return n;
  }

  /// Differs from all earlier ones after each change.
  public int version() {
    return version;
  }

  public Binding binding() {
    return Objects.requireNonNull(binding, "bind before anything else");
  }

  /// The part of the pool that a region covers at the bound batch.
  public MemorySegment slice(MemorySegment pool, Binding.Region region) {
    return pool.asSlice(region.offsetBytes(), region.sizeBytes().at(n));
  }
}
