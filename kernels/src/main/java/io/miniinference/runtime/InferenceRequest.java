package io.miniinference.runtime;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request: the shape of each input in the model's order, and who writes their content.
///
/// @param shapes one per input
/// @param writer called once per input with staging memory of exactly its size in bytes, aligned
///   for its element type, dense row-major, native (little-endian) order
/// @param deadlineNanos when to give up waiting for an instance, in the time of [System#nanoTime];
///   [#NO_DEADLINE] for never
/// @param observer hears of each launch; null for none, which is faster
public record InferenceRequest(
    List<long[]> shapes, Writer writer, long deadlineNanos, @Nullable LaunchObserver observer) {
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  public InferenceRequest {
    shapes = List.copyOf(shapes);
  }

  /// A request whose launches are not told.
  public InferenceRequest(List<long[]> shapes, Writer writer, long deadlineNanos) {
    this(shapes, writer, deadlineNanos, null);
  }

  /// A request that waits as long as it takes.
  public InferenceRequest(List<long[]> shapes, Writer writer) {
    this(shapes, writer, NO_DEADLINE);
  }

  /// The same, with another writer.
  public InferenceRequest withWriter(Writer other) {
    return new InferenceRequest(shapes, other, deadlineNanos, observer);
  }

  /// The same, each of whose launches is told.
  public InferenceRequest observedBy(@Nullable LaunchObserver other) {
    return new InferenceRequest(shapes, writer, deadlineNanos, other);
  }

  /// Nanoseconds that are left to wait; not positive if the deadline has passed.
  public long patienceNanos() {
    return deadlineNanos == NO_DEADLINE ? Long.MAX_VALUE : deadlineNanos - System.nanoTime();
  }

  /// Writes an input's content into staging.
  @FunctionalInterface
  public interface Writer {
    void write(int input, MemorySegment staging);
  }
}
