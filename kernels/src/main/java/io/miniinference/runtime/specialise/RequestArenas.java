package io.miniinference.runtime.specialise;

import io.miniinference.pool.Allocation;
import io.miniinference.pool.AllocationResult;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.pool.Refusal;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.OwnRequestException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.load.PreparedBatch;
import io.miniinference.runtime.load.PromisedRoom;
import io.miniinference.runtime.load.Specialisation;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// The arenas of requests to a model with open sizes: the room that was promised, if the request
/// fits it and no other has it, else held blocks, tagged by model and shapes. In the steady state a
/// request takes the block that the last one of its kind gave back, and held bytes are given back
/// before anyone is told that memory is short. A request that fits the room is never told so: it
/// waits for it.
final class RequestArenas {
  private final String model;
  private final HeldBlocks held;
  private final Optional<PromisedRoom.Arena> promised;

  /// What of the properties would help, or does.
  private final String remedy;

  RequestArenas(Signature signature, HeldBlocks held, Optional<PromisedRoom> room) {
    model = signature.model();
    this.held = held;
    promised = room.map(PromisedRoom::arena);
    remedy =
        "That is engine.pool.capacity"
            + (signature.symbols().isEmpty() ? "" : room.map(this::kept).orElseGet(this::notKept));
  }

  private String kept(PromisedRoom room) {
    return "; engine.models.settings.%s.bounds keeps room for batches up to %d of %s"
        .formatted(model, room.batch(), RequestShape.text(room.largest().sizes()));
  }

  private String notKept() {
    return "; engine.models.settings.%s.bounds keeps room for the largest sizes".formatted(model);
  }

  /// What serves in an arena.
  interface Use<T> {
    /// @param isAsLeft whether its bytes are as the last request of this batch there left them
    T in(long offset, boolean isAsLeft);
  }

  /// Bytes of the arena that was promised, 0 if none was.
  long promisedBytes() {
    return promised.map(PromisedRoom.Arena::bytes).orElse(0L);
  }

  /// Serves a request in an arena for a batch.
  ///
  /// @param key of the specialisation
  /// @param evict makes room in the pool, and says whether it could
  /// @throws AbandonedRequestException if the request's deadline passes while it waits
  /// @throws OwnRequestException if the thread is in a request that has the room, and there is no
  ///   other
  <T> T with(
      String key,
      Specialisation specialisation,
      PreparedBatch batch,
      InferenceRequest request,
      BooleanSupplier evict,
      Use<T> use) {
    Optional<PromisedRoom.Arena> fitting = promised.filter(it -> batch.arenaBytes() <= it.bytes());
    if (fitting.filter(it -> takesFree(it.turn())).isPresent()) {
      return inRoom(fitting.orElseThrow(), tag(key, batch), use);
    }
    return switch (acquire(tag(key, batch), batch, fitting.isPresent() ? () -> false : evict)) {
      case Allocation arena -> inBlock(arena, use);
      case Refusal refusal -> {
        PromisedRoom.Arena room =
            fitting.orElseThrow(() -> refused(specialisation, refusal, request));
        takeTurn(room.turn(), request);
        yield inRoom(room, tag(key, batch), use);
      }
    };
  }

  /* Whether nobody has the turn, and nobody waits for it, who would be overtaken. */
  private static boolean takesFree(ReentrantLock turn) {
    return !turn.hasQueuedThreads() && !turn.isHeldByCurrentThread() && turn.tryLock();
  }

  private static <T> T inRoom(PromisedRoom.Arena room, String tag, Use<T> use) {
    try {
      return use.in(room.offset(), tag.equals(room.user().getAndSet(tag)));
    } finally {
      room.turn().unlock();
    }
  }

  private <T> T inBlock(Allocation arena, Use<T> use) {
    try {
      return use.in(arena.offset(), arena.isAsLeft());
    } finally {
      held.release(arena);
    }
  }

  /* Held blocks give way by themselves, idle specialisations here. */
  private AllocationResult acquire(String tag, PreparedBatch batch, BooleanSupplier evict) {
    AllocationResult result;
    do {
      result = held.acquire(tag, batch.arenaBytes());
    } while (result instanceof Refusal && evict.getAsBoolean());
    return result;
  }

  /// Waits for the turn of a request, as long as it has patience.
  ///
  /// @throws OwnRequestException if the thread has the turn, as it is in another request
  void takeTurn(ReentrantLock turn, InferenceRequest request) {
    if (turn.isHeldByCurrentThread()) {
      throw OwnRequestException.asking(model);
    }
    try {
      if (!turn.tryLock(request.patienceNanos(), TimeUnit.NANOSECONDS)) {
        throw new AbandonedRequestException("the request's deadline passed before it ran");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbandonedRequestException("the request was cancelled before it ran");
    }
  }

  private String tag(String key, PreparedBatch batch) {
    return batch.tag(most -> tag(key, most));
  }

  private String tag(String key, long most) {
    return model + "/" + key + " of " + most;
  }

  /// Gives back what is held for a specialisation that is gone.
  void giveBack(String key, Specialisation gone) {
    gone.buckets().forEach(most -> held.giveBack(tag(key, most)));
  }

  /* What values alone make larger than all memory is the request's fault, and no time cures it. */
  private RuntimeException refused(
      Specialisation specialisation, Refusal refusal, InferenceRequest request) {
    long needed = refusal.roundedBytes() + specialisation.compiled().weights().bytes();
    boolean never = needed > refusal.pool().capacityBytes();
    String message =
        "a request of shapes %s to '%s' needs memory that the pool does not have: %s"
            .formatted(
                RequestSizes.text(request.shapes()),
                model,
                never ? never(needed, refusal) : refusal.message() + " " + remedy);
    return never && !specialisation.compiled().specialisedOn().isEmpty()
        ? new InvalidRequestException(message)
        : new LoadRefusedException(message, never);
  }

  private static String never(long needed, Refusal refusal) {
    return "%d bytes with its weights, and the pool has %d bytes in all, so that asking again does not help. Raise engine.pool.capacity to at least %d bytes"
        .formatted(
            needed,
            refusal.pool().capacityBytes(),
            Math.max(needed, refusal.smallestCapacityBytes()));
  }
}
