package io.miniinference.runtime;

import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Requests of several callers that run as one batch, each with rows of its own, one behind the
/// other; what a model leaves open besides the batch is of the same size in all of them. Who has a
/// row that failed is told so, in numbers of its own rows; the others get their results.
///
/// @param <T> what a member's reader makes of its outputs
public final class RequestBatch<T> {
  private final Model model;
  private final List<Share<T>> shares;
  private final RequestShape shape;

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

  private RequestBatch(Model model, List<Share<T>> shares, RequestShape shape) {
    this.model = model;
    this.shares = List.copyOf(shares);
    this.shape = shape;
  }

  /// Puts requests together.
  ///
  /// @throws InvalidRequestException if the shapes of one do not fit, or are not those of the
  ///   others but for the batch, all together are more than [Model#rowsTogether], or the rows of
  ///   this model are not known to be apart: what fails in one might then spoil those of others
  public static <T> RequestBatch<T> of(Model model, List<Member<T>> members) {
    requireRows(model);
    requireApart(model, model.isBatchable());
    List<Share<T>> shares = new ArrayList<>();
    RequestShape shape = new RequestShape(0, Map.of());
    for (Member<T> member : members) {
      RequestShape own = model.signature().check(member.request().shapes());
      int first = (int) shape.batch();
      shape = shares.isEmpty() ? own : together(model, shape, own, shares.size());
      shares.add(new Share<>(member, first, (int) own.batch()));
    }
    if (!shares.isEmpty()) {
      requireRoom(model, shape);
    }
    return new RequestBatch<>(model, shares, shape);
  }

  /* @param place of the second among the members, as its caller counts them from 0 on */
  private static RequestShape together(
      Model model, RequestShape first, RequestShape second, int place) {
    if (!first.sizes().equals(second.sizes())) {
      throw new InvalidRequestException(
          "request %d: its sizes %s and those of the ones before it, %s, do not run as one batch of '%s'"
              .formatted(
                  place,
                  new TreeMap<>(second.sizes()),
                  new TreeMap<>(first.sizes()),
                  model.name()));
    }
    return new RequestShape(first.batch() + second.batch(), first.sizes());
  }

  private static void requireRoom(Model model, RequestShape shape) {
    int most = model.rowsTogether(shape);
    requireApart(model, most > 0);
    if (shape.batch() > most) {
      throw new InvalidRequestException(
          "requests of %d rows together are more than the batch of %d that '%s' takes"
              .formatted(shape.batch(), most, model.name()));
    }
  }

  /* What is open in an output shows when the model is compiled for a shape. */
  private static void requireRows(Model model) {
    model.inputs().forEach(input -> requireRows(model, "input", input));
    model.outputs().stream()
        .filter(output -> output.dims().stream().noneMatch(RequestBatch::isOpen))
        .forEach(output -> requireRows(model, "output", output));
  }

  private static boolean isOpen(Dimension dim) {
    return dim instanceof Dimension.Open || dim instanceof Dimension.Rest;
  }

  private static void requireRows(Model model, String role, TensorSpec spec) {
    if (!spec.isByRows() || !spec.dims().stream().skip(1).allMatch(RequestBatch::isOfRow)) {
      throw new InvalidRequestException(
          "model '%s' takes one request at a time: %s '%s' is %s, whose rows are not on axis 0 alone"
              .formatted(model.name(), role, spec.name(), spec));
    }
  }

  private static boolean isOfRow(Dimension dim) {
    return dim instanceof Dimension.Fixed || dim instanceof Dimension.Open;
  }

  private static void requireApart(Model model, boolean areApart) {
    if (!areApart) {
      throw new InvalidRequestException(
          "model '%s' takes one request at a time: its rows may depend on each other"
              .formatted(model.name()));
    }
  }

  /// Runs the batch once.
  ///
  /// @return one outcome per member, in their order
  public List<Outcome<T>> infer() {
    List<long[]> shapes = model.signature().shapes(shape);
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
    long bytes = shape.batch() == 0 ? 0 : whole.byteSize() / shape.batch();
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
      long[] own = output.shape().clone();
      own[0] = share.rows;
      return new Output(own, RequestBatch.this.part(output.data(), share));
    }
  }
}
