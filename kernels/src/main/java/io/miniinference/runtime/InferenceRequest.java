package io.miniinference.runtime;

import io.miniinference.strings.StringTable;
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
/// @param strings what codes stand for that the request's strings have; null for a request whose
///   strings are all in the model's dictionary
public record InferenceRequest(
    List<long[]> shapes,
    Writer writer,
    long deadlineNanos,
    @Nullable LaunchObserver observer,
    @Nullable StringTable strings) {
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  public InferenceRequest {
    shapes = List.copyOf(shapes);
  }

  /// A request without strings of its own.
  public InferenceRequest(
      List<long[]> shapes, Writer writer, long deadlineNanos, @Nullable LaunchObserver observer) {
    this(shapes, writer, deadlineNanos, observer, null);
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
    return withShapes(shapes, other);
  }

  /// The same with other inputs.
  public InferenceRequest withShapes(List<long[]> otherShapes, Writer other) {
    return new InferenceRequest(otherShapes, other, deadlineNanos, observer, strings);
  }

  /// The same with strings of its own.
  public InferenceRequest withStrings(StringTable table) {
    return new InferenceRequest(shapes, writer, deadlineNanos, observer, table);
  }

  /// The same, each of whose launches is told.
  public InferenceRequest observedBy(@Nullable LaunchObserver other) {
    return new InferenceRequest(shapes, writer, deadlineNanos, other, strings);
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
