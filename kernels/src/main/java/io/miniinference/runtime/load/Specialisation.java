package io.miniinference.runtime.load;

import io.miniinference.device.DeviceProgram;
import io.miniinference.plan.planner.Placement;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.serve.ArenaSpec;
import io.miniinference.runtime.serve.Reservation;
import io.miniinference.runtime.serve.Serving;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A model compiled for one set of sizes besides the batch, or of input shapes. Its weights may be
/// those of others, too; its arena is borrowed per request, and launches are prepared for each of
/// its batch buckets when a request comes that needs it.
public final class Specialisation implements AutoCloseable {
  private final Compiled compiled;
  private final Reservation reservation;
  private final List<DeviceProgram> own;
  private final PreparedBatch.Launches launches;
  private final SharedWeights.Taken weights;
  private final ArenaSpec spec;
  private final Serving serving;
  private final Signature signature;
  private final Map<Long, PreparedBatch> prepared = new ConcurrentHashMap<>();

  /// @param own programs of kernels that no other shape uses
  /// @param launches of it, as the device prepares them
  /// @param spec its arenas, whose weights lie where they are in the pool
  Specialisation(
      Compiled compiled,
      Reservation reservation,
      List<DeviceProgram> own,
      PreparedBatch.Launches launches,
      SharedWeights.Taken weights,
      ArenaSpec spec,
      Serving serving) {
    this.compiled = compiled;
    this.reservation = reservation;
    this.own = List.copyOf(own);
    this.launches = launches;
    this.weights = weights;
    this.spec = spec;
    this.serving = serving;
    int most = (int) reservation.arenas().getLast().maxBatch();
    signature =
        Signature.of(
            compiled.name(), compiled.lowered().graph(), compiled.cuts(), compiled.codes(), most);
  }

  public Compiled compiled() {
    return compiled;
  }

  public Reservation reservation() {
    return reservation;
  }

  public SharedWeights.Taken weights() {
    return weights;
  }

  /// Of the requests that it serves.
  public Signature signature() {
    return signature;
  }

  /// The launches for the smallest bucket that holds a batch of `rows`.
  public PreparedBatch upTo(long rows) {
    long bucket = bucket(rows);
    PreparedBatch known = prepared.get(bucket);
    return known == null ? prepared.computeIfAbsent(bucket, this::prepare) : known;
  }

  /// The buckets that launches were prepared for.
  public Set<Long> buckets() {
    return Set.copyOf(prepared.keySet());
  }

  private long bucket(long rows) {
    return compiled.plan().placement(rows).batch();
  }

  private PreparedBatch prepare(long most) {
    return new PreparedBatch(most, spec, launches, serving);
  }

  /// Most rows of several requests that run as one batch, as many as `bytes` have room for; 0 where
  /// rows may depend on each other.
  public int rowsTogether(long bytes) {
    if (!compiled.lowered().graph().isBatchable() || !signature.isByRows()) {
      return 0;
    }
    long most = 1;
    for (Placement placement : compiled.plan().placements()) {
      most = spec.bytes(placement.batch()) <= bytes ? placement.batch() : most;
    }
    return (int) most;
  }

  /// Whether the current thread is in a request that is served here.
  public boolean isServingThisThread() {
    return prepared.values().stream().anyMatch(batch -> batch.turn().isHeldByCurrentThread());
  }

  /// Waits for requests in flight and gives everything back.
  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>(prepared.values());
    parts.addAll(own);
    parts.add(weights);
    Closing.all(parts);
  }
}
