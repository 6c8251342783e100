package io.miniinference.runtime;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.ops.NegativeSizeException;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.AllocationResult;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.pool.PoolExhaustedException;
import io.miniinference.runtime.RequestSizes.Fixed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// A model with sizes besides the batch, or sizes that follow from the values of small inputs: it
/// is compiled for each set of sizes, and of such values, that comes, up to a number of them, while
/// that request waits and others go on. Which inputs' values decide shows when it is compiled. The
/// batch stays open if the model allows that ([RequestSizes]), so that failures belong to rows.
///
/// Its arenas cannot be reserved at load. They are held blocks, tagged by model and shapes: in the
/// steady state a request takes the block that the last one of its kind gave back, and held bytes
/// are given back before anyone is told that memory is short.
final class SpecialisingModel implements Model {
  /// Sets of shapes that stay compiled; the least recently used one makes room.
  private static final int MOST_SPECIALISATIONS = 16;

  private static final int MOST_ROWS = 1 << 20;

  private final OnnxModel model;
  private final LoadOptions options;
  private final RequestSizes.Of requests;
  private final ModelLoader loader;
  private final HeldBlocks held;
  private final Signature signature;

  /// Whether a symbol on axis 0 of inputs is the batch.
  private final boolean hasBatch;

  private final Specialisations specialisations;

  /// Inputs whose values decided over a specialisation so far.
  private final Set<String> deciding = ConcurrentHashMap.newKeySet();

  /// What was found to do for all requests so far.
  private volatile Fixed fixed = Fixed.OTHERS;

  SpecialisingModel(OnnxModel model, LoadOptions options, ModelLoader loader, HeldBlocks held) {
    this.model = model;
    this.options = options;
    this.loader = loader;
    this.held = held;
    DeclaredTypes declared = DeclaredTypes.of(model, options.dimensions());
    hasBatch = declared.batch().isPresent();
    signature =
        new Signature(
            model.name(), declared.inputs(), declared.outputs(), maxBatch(declared, options));
    requests = new RequestSizes.Of(signature.inputs(), hasBatch, options);
    specialisations = new Specialisations(MOST_SPECIALISATIONS);
  }

  /* Nothing is reserved for a batch. A symbol that is merely alone on axis 0 may as well count
  anything else. */
  private static int maxBatch(DeclaredTypes declared, LoadOptions options) {
    if (declared.batch().isEmpty()) {
      return 1;
    }
    return declared.hasNamedBatch() ? options.maxBatch() : MOST_ROWS;
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public boolean hasBatch() {
    return fixed != Fixed.ALL && hasBatch;
  }

  /// False: each specialisation is a graph of its own.
  @Override
  public boolean isBatchable() {
    return false;
  }

  @Override
  public int instances() {
    return 1;
  }

  @Override
  public long reservedBytes() {
    return specialisations.ready().stream().mapToLong(s -> s.memory().sizeBytes()).sum();
  }

  /// The plan of the shapes that were used last.
  ///
  /// @throws InvalidRequestException if none were yet
  @Override
  public PlanReport plan(int batch) {
    List<Specialisation> ready = specialisations.ready();
    if (ready.isEmpty()) {
      throw new InvalidRequestException(
          "model '"
              + name()
              + "' is planned per input shape, and no request came yet; name sizes with --dim, or"
              + " load it with them");
    }
    Specialisation latest = ready.getLast();
    return new PlanReports(latest.compiled(), latest.reservation(), loader.device()).apply(1);
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    RequestValues values = new RequestValues(signature, request);
    while (true) {
      try {
        return infer(values, reader);
      } catch (MoreValuesException e) {
        deciding.addAll(e.inputs());
      }
    }
  }

  /* Fixes as little of the request as the model allows. */
  private <T> T infer(RequestValues values, ResponseReader<T> reader) {
    Set<String> known = Set.copyOf(deciding);
    List<ModelException> reasons = new ArrayList<>();
    for (Fixed open : EnumSet.range(Fixed.OTHERS, Fixed.VALUES)) {
      Optional<RequestSizes> sizes =
          open.compareTo(fixed) < 0 ? Optional.empty() : requests.sizes(open, values, known);
      if (sizes.isPresent()) {
        try {
          return infer(sizes.get(), values.request(), reader);
        } catch (NegativeSizeException e) {
          throw new RequestFailedException(failures(e, values.request()));
        } catch (ModelException e) {
          reasons.addFirst(e); // maybe with more fixed
        }
      }
    }
    return inferFixed(values, known, reasons, reader);
  }

  private <T> T inferFixed(
      RequestValues values,
      Set<String> known,
      List<ModelException> reasons,
      ResponseReader<T> reader) {
    RequestSizes all = requests.sizes(Fixed.ALL, values, known).orElseThrow();
    try {
      return infer(all, values.request(), reader);
    } catch (ModelException e) {
      if (reasons.isEmpty()) {
        whyNotOpen(values, known).ifPresent(reasons::add);
      }
      reasons.add(e);
      throw refusal(all, values.request(), reasons);
    }
  }

  private Optional<ModelException> whyNotOpen(RequestValues values, Set<String> known) {
    return requests
        .sizes(Fixed.VALUES, values, known)
        .or(() -> requests.sizes(Fixed.OTHERS, values, known))
        .flatMap(sizes -> loader.fault(model, sizes.options()));
  }

  /* A size is not known either if what it follows from fails, which is then what is told. Reasons of
  the open batch, which knows whose row that is, come first. */
  private RuntimeException refusal(
      RequestSizes sizes, InferenceRequest request, List<ModelException> reasons) {
    return reasons.stream()
        .map(reason -> failures(reason, request))
        .filter(failures -> !failures.isEmpty())
        .findFirst()
        .<RuntimeException>map(RequestFailedException::new)
        .orElseGet(() ->
            new InvalidRequestException(
                "model '%s' cannot run inputs of %s: %s"
                    .formatted(name(), sizes.key(), reasons.getLast().getMessage())));
  }

  private <T> T infer(RequestSizes sizes, InferenceRequest request, ResponseReader<T> reader) {
    return specialisations.with(
        sizes.key(), () -> compile(sizes), s -> serve(s, sizes.key(), request, reader));
  }

  private <T> T serve(
      Specialisation specialisation,
      String key,
      InferenceRequest request,
      ResponseReader<T> reader) {
    takeTurn(specialisation, request);
    try {
      Allocation arena = arena(specialisation, key, request);
      try {
        return specialisation.serve(arena.offset(), request, reader);
      } finally {
        held.release(arena);
      }
    } finally {
      specialisation.turn().release();
    }
  }

  private static void takeTurn(Specialisation specialisation, InferenceRequest request) {
    try {
      if (!specialisation.turn().tryAcquire(request.patienceNanos(), TimeUnit.NANOSECONDS)) {
        throw new AbandonedRequestException("the request's deadline passed before it ran");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbandonedRequestException("the request was cancelled before it ran");
    }
  }

  private Allocation arena(Specialisation specialisation, String key, InferenceRequest request) {
    AllocationResult result = held.acquire(name() + "/" + key, specialisation.arenaBytes());
    try {
      return result.orThrow();
    } catch (PoolExhaustedException e) {
      throw new LoadRefusedException(
          "a request of shapes "
              + RequestSizes.text(request.shapes())
              + " to '"
              + name()
              + "' needs memory that the pool does not have: "
              + e.getMessage());
    }
  }

  private Specialisation compile(RequestSizes sizes) {
    Specialisation compiled = loader.specialise(model, sizes.options(), sizes.known());
    if (sizes.fixed().compareTo(fixed) > 0) {
      fixed = sizes.fixed();
    }
    return compiled;
  }

  /* What of a request fails, if that is why the model cannot be compiled for it. */
  private List<FailureReport> failures(ModelException reason, InferenceRequest request) {
    return switch (reason) {
      case NegativeSizeException negative -> failures(negative, request);
      case NeedsSpecialisation unknown -> failures(unknown.earlier(), request);
      default -> List.of();
    };
  }

  /* The size fails the run; what fails ahead of it is told first. */
  private List<FailureReport> failures(NegativeSizeException e, InferenceRequest request) {
    List<FailureReport> failures = new ArrayList<>(failures(e.earlier(), request));
    if (failures.stream().allMatch(failure -> failure.row() != null)) {
      failures.add(FailureReport.of(e.size()));
    }
    return failures;
  }

  private List<FailureReport> failures(Optional<Graph> earlier, InferenceRequest request) {
    return earlier
        .map(graph ->
            EarlierFailures.of(graph, request, loader.poolBytes(), options.maxIterations()))
        .orElse(List.of());
  }

  @Override
  public boolean isClosed() {
    return specialisations.isClosed();
  }

  @Override
  public void close() {
    specialisations.close();
  }
}
