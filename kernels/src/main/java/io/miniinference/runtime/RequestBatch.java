package io.miniinference.runtime;

import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Requests of several callers that run as one batch, each with rows of its own, one behind the
/// other. Who has a row that failed is told so, in numbers of its own rows; the others get their
/// results.
///
/// @param <T> what a member's reader makes of its outputs
public final class RequestBatch<T> {
  private final Model model;
  private final List<Share<T>> shares;
  private final int rows;

  /// A caller.
  public record Member<T>(InferenceRequest request, ResponseReader<T> reader) {}

  /// What became of a caller.
  public sealed interface Outcome<T> {
    /// None of its rows failed.
    record Answered<T>(T value) implements Outcome<T> {}

    /// At least one did, or the run as a whole.
    record Failed<T>(RequestFailedException failure) implements Outcome<T> {}
  }

  /// A member and its rows.
  private record Share<T>(Member<T> member, int first, int rows) {
    boolean owns(FailureReport report) {
      Integer row = report.row();
      return row == null || (row >= first && row < first + rows);
    }
  }

  private RequestBatch(Model model, List<Share<T>> shares, int rows) {
    this.model = model;
    this.shares = List.copyOf(shares);
    this.rows = rows;
  }

  /// Puts requests together.
  ///
  /// @throws InvalidRequestException if the shapes of one do not fit, all together are more than
  ///   [Model#maxBatch], or the rows of this model are not known to be apart: what fails in one
  ///   might then spoil those of others
  public static <T> RequestBatch<T> of(Model model, List<Member<T>> members) {
    model.inputs().forEach(input -> requireRows(model, "input", input));
    model.outputs().forEach(output -> requireRows(model, "output", output));
    requireApart(model);
    List<Share<T>> shares = new ArrayList<>();
    int first = 0;
    for (Member<T> member : members) {
      int own = (int) model.signature().check(member.request().shapes()).batch();
      requireRoom(model, first + own);
      shares.add(new Share<>(member, first, own));
      first += own;
    }
    return new RequestBatch<>(model, shares, first);
  }

  private static void requireRoom(Model model, int rows) {
    if (rows > model.maxBatch()) {
      throw new InvalidRequestException(
          "requests of %d rows together are more than the batch of %d that '%s' takes"
              .formatted(rows, model.maxBatch(), model.name()));
    }
  }

  private static void requireRows(Model model, String role, TensorSpec spec) {
    List<Dimension> inner = spec.dims().stream().skip(1).toList();
    if (!spec.isByRows() || !inner.stream().allMatch(Dimension.Fixed.class::isInstance)) {
      throw new InvalidRequestException(
          "model '%s' takes one request at a time: %s '%s' is %s, whose rows are not on axis 0 alone"
              .formatted(model.name(), role, spec.name(), spec));
    }
  }

  private static void requireApart(Model model) {
    if (!model.isBatchable()) {
      throw new InvalidRequestException(
          "model '%s' takes one request at a time: its rows may depend on each other"
              .formatted(model.name()));
    }
  }

  /// Runs the batch once.
  ///
  /// @return one outcome per member, in their order
  public List<Outcome<T>> infer() {
    List<long[]> shapes = model.inputs().stream().map(input -> input.shapeAt(rows)).toList();
    var readers = new Readers();
    try {
      model.infer(new InferenceRequest(shapes, this::write).observedBy(observer()), readers);
    } catch (RequestFailedException e) {
      // each member has its own
    }
    return Objects.requireNonNull(readers.outcomes, "a run ends with outputs or with failures");
  }

  /* Each member that wants to hear of launches hears of those of the batch. */
  private @Nullable LaunchObserver observer() {
    List<LaunchObserver> observers = new ArrayList<>();
    for (Share<T> share : shares) {
      LaunchObserver own = share.member.request().observer();
      if (own != null) {
        observers.add(own);
      }
    }
    return observers.isEmpty()
        ? null
        : (launch, kernel, from, to) ->
            observers.forEach(observer -> observer.launched(launch, kernel, from, to));
  }

  private void write(int input, MemorySegment staging) {
    shares.forEach(share -> share.member.request().writer().write(input, part(staging, share)));
  }

  private MemorySegment part(MemorySegment whole, Share<T> share) {
    long bytes = rows == 0 ? 0 : whole.byteSize() / rows;
    return whole.asSlice(share.first * bytes, share.rows * bytes);
  }

  /// Hands each member its part.
  private final class Readers implements ResponseReader<Boolean> {
    private @Nullable List<Outcome<T>> outcomes;

    @Override
    public Boolean read(List<Output> outputs) {
      failed(outputs, List.of());
      return true;
    }

    @Override
    public void failed(List<Output> outputs, List<FailureReport> failures) {
      List<Outcome<T>> all = new ArrayList<>(shares.size());
      for (Share<T> share : shares) {
        all.add(outcome(share, outputs, failures));
      }
      outcomes = all;
    }

    private Outcome<T> outcome(Share<T> share, List<Output> outputs, List<FailureReport> failures) {
      List<Output> own = new ArrayList<>(outputs.size());
      for (Output output : outputs) {
        own.add(part(output, share));
      }
      List<FailureReport> reports =
          failures.isEmpty()
              ? List.of()
              : failures.stream().filter(share::owns).map(r -> r.toOwnerOf(share.first)).toList();
      ResponseReader<T> reader = share.member.reader();
      if (reports.isEmpty()) {
        return new Outcome.Answered<>(reader.read(own));
      }
      reader.failed(own, reports);
      return new Outcome.Failed<>(new RequestFailedException(reports));
    }

    private Output part(Output output, Share<T> share) {
      long[] shape = output.shape().clone();
      shape[0] = share.rows;
      return new Output(shape, RequestBatch.this.part(output.data(), share));
    }
  }
}
