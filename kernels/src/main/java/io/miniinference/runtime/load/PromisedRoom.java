package io.miniinference.runtime.load;

import io.miniinference.device.DeviceInfo;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.SpecialisationStatistics.Promise;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.serve.Reservation;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a model with open sizes holds of the pool from its load on, so that each request up to the
/// largest shape finds room whatever other models took meanwhile: the weights that all shapes have,
/// an arena for one request at a time, and a place for the weights that one shape has of its own.
public final class PromisedRoom implements AutoCloseable {
  private final LargestShape largest;
  private final int batch;
  private final SharedWeights.Taken taken;
  private final Arena arena;
  private final Place place;

  /// @param taken with an arena for requests, and one for weights if shapes have any of their own
  /// @param arenaBytes of the former
  PromisedRoom(LargestShape largest, int batch, SharedWeights.Taken taken, long arenaBytes) {
    this.largest = largest;
    this.batch = batch;
    this.taken = taken;
    arena = new Arena(taken.arena(0), arenaBytes);
    long own = largest.ownBytes();
    place = new Place(own == 0 ? 0 : taken.arena(1), own, new Semaphore(1));
  }

  /// The arena of one request at a time.
  ///
  /// @param offset in the pool
  /// @param turn of the request that has it; not to be taken twice by a thread
  /// @param user what the last request that had it was of
  public record Arena(
      long offset, long bytes, ReentrantLock turn, AtomicReference<@Nullable String> user) {
    Arena(long offset, long bytes) {
      this(offset, bytes, new ReentrantLock(true), new AtomicReference<>());
    }
  }

  /// Where the weights lie that one shape has of its own, of a shape for which the pool has no room
  /// elsewhere.
  record Place(long offset, long bytes, Semaphore turn) {}

  /// Whether the arena holds batches of what was compiled for one shape, up to the largest for
  /// which there is room.
  boolean holds(Compiled compiled, DeviceInfo device) {
    long most = compiled.plan().placements().getLast().batch();
    long batch = compiled.plan().placement(Math.min(this.batch, most)).batch();
    LoadOptions options = largest.options().withMaxBatch(Math.toIntExact(batch));
    return Reservation.ofShape(compiled, options, device).arenas().getLast().bytes() <= arena.bytes;
  }

  public LargestShape largest() {
    return largest;
  }

  /// Largest batch of that shape.
  public int batch() {
    return batch;
  }

  public Arena arena() {
    return arena;
  }

  Place place() {
    return place;
  }

  /// Whether the weights of a shape are in the place that is for one of them.
  public boolean isPlaceTaken() {
    return place.turn.availablePermits() == 0;
  }

  /// The weights that all shapes have, and the room.
  public SharedWeights.Taken taken() {
    return taken;
  }

  /// What is promised, in figures.
  public Promise figures() {
    return new Promise(new RequestShape(batch, largest.sizes()), arena.bytes + place.bytes);
  }

  /// Gives all of it back; no request may be in it.
  @Override
  public void close() {
    taken.close();
  }
}
