package io.miniinference.runtime.load;

import io.miniinference.device.DeviceInfo;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.WeightSet;
import io.miniinference.runtime.serve.PlanReports;
import io.miniinference.runtime.serve.Reservation;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The largest shape of a model with open sizes for which a load is to have room, planned.
///
/// @param compiledAhead shapes that a load compiles so that their kernels are there, in this order,
///   as sizes of open dimensions by symbol; the largest is the last one
/// @param options that fix its sizes
/// @param common those of its weights that all shapes have. The others follow from its sizes, as a
///   table of positions does that is cut to the length of a text
/// @param ownBytes most bytes that a shape has of such others
public record LargestShape(
    List<Map<String, Long>> compiledAhead,
    LoadOptions options,
    Compiled compiled,
    WeightSet common,
    long ownBytes) {
  public LargestShape {
    compiledAhead = compiledAhead.stream().map(Map::copyOf).toList();
  }

  /// @param others the weights of other shapes
  public static LargestShape of(
      List<Map<String, Long>> compiledAhead,
      LoadOptions options,
      Compiled compiled,
      List<WeightSet> others) {
    WeightSet common = compiled.weights().alsoIn(others);
    long own =
        Stream.concat(Stream.of(compiled.weights()), others.stream())
            .mapToLong(all -> all.bytesBeside(common))
            .max()
            .orElseThrow();
    return new LargestShape(compiledAhead, options, compiled, common, own);
  }

  /// The sizes of its open dimensions by symbol.
  public Map<String, Long> sizes() {
    return compiledAhead.getLast();
  }

  /// Largest batch; 1 where the batch is not open.
  public int maxBatch() {
    return compiled.lowered().graph().hasBatch() ? options.maxBatch() : 1;
  }

  /* Of one request at a time. */
  private Reservation reservation(int batch, DeviceInfo device) {
    return Reservation.ofShape(compiled, options.withMaxBatch(batch), device);
  }

  /// Its plans, of a load for batches up to a size.
  public PlanReports plans(int batch, DeviceInfo device) {
    long bytes = common.bytes() + roomBytes(batch, device);
    return new PlanReports(compiled, reservation(batch, device), device, bytes);
  }

  /// Bytes of the room for batches up to a size, besides the weights that all shapes have.
  public long roomBytes(int batch, DeviceInfo device) {
    return rooms(batch, device).stream().mapToLong(Long::longValue).sum();
  }

  /* The arena, and the place for weights of one shape if there are any. */
  List<Long> rooms(int batch, DeviceInfo device) {
    long arena = reservation(batch, device).arenaBytes();
    return ownBytes == 0 ? List.of(arena) : List.of(arena, ownBytes);
  }

  /// The refusal of the whole load.
  ///
  /// @param missing bytes of the common weights that are not in the pool
  /// @param pool the figures before the load took anything
  LoadRefusedException refused(int batch, long missing, DeviceInfo device, PoolStatistics pool) {
    long room = roomBytes(batch, device);
    return new LoadRefusedException(
        "model '%s' does not fit the pool: it needs %,d bytes for batches up to %d of %s, its bounds (weights %,d, room for a request %,d), the pool of %,d has %,d free, %,d in one piece. %s (engine.models.settings.%s.bounds), a larger pool (engine.pool.capacity) or fewer models would help"
            .formatted(
                compiled.name(),
                missing + room,
                batch,
                RequestShape.text(sizes()),
                missing,
                room,
                pool.capacityBytes(),
                pool.freeBytes(),
                pool.largestFreeBytes(),
                batch > 1 ? "Smaller batches, smaller bounds" : "Smaller bounds",
                compiled.name()));
  }
}
