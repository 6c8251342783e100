package io.miniinference.runtime.specialise;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.ir.Graph;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.ops.NegativeSizeException;
import io.miniinference.pass.FoldingLimitException;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.AllocationResult;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.pool.Refusal;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.NotPlannedException;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.SpecialisationStatistics;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.MoreValuesException;
import io.miniinference.runtime.load.PreparedBatch;
import io.miniinference.runtime.load.Specialisation;
import io.miniinference.runtime.serve.PlanReports;
import io.miniinference.runtime.specialise.KnownShapes.Served;
import io.miniinference.runtime.specialise.RequestSizes.Fixed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A model with sizes besides the batch, or sizes that follow from the values of small inputs: it
/// is compiled for each set of sizes, and of such values, that comes, up to a number of them, while
/// that request waits and others go on. Which inputs' values decide shows when it is compiled. The
/// batch stays open if the model allows that ([RequestSizes]), so that failures belong to rows.
///
/// Its arenas cannot be reserved at load. They are held blocks, tagged by model and shapes: in the
/// steady state a request takes the block that the last one of its kind gave back, and held bytes
/// are given back before anyone is told that memory is short.
public final class SpecialisingModel implements Model {
  private static final int MOST_ROWS = 1 << 20;

  private final OnnxModel model;
  private final LoadOptions options;
  private final RequestSizes.Of requests;
  private final ModelLoader loader;
  private final HeldBlocks held;
  private final Signature signature;

  /// The symbol on axis 0 of inputs that is the batch.
  private final Optional<String> batch;

  private final Specialiser specialiser;
  private final Specialisations specialisations;

  /// Inputs whose values decided over a specialisation so far.
  private final Set<String> deciding = ConcurrentHashMap.newKeySet();

  private final KnownShapes knownShapes = new KnownShapes();

  /// What was found to do for all requests so far.
  private volatile Fixed fixed = Fixed.OTHERS;

  public SpecialisingModel(
      OnnxModel model, LoadOptions options, ModelLoader loader, HeldBlocks held) {
    this.model = model;
    this.options = options;
    this.loader = loader.ofManyShapes();
    this.held = held;
    DeclaredTypes declared = DeclaredTypes.of(model, options.dimensions());
    batch = declared.batch();
    signature =
        new Signature(
            model.name(), declared.inputs(), declared.outputs(), maxBatch(declared, options));
    requests = new RequestSizes.Of(signature.inputs(), batch.isPresent(), options);
    specialiser = new Specialiser(model, this.loader, new OtherSizes(signature.inputs(), options));
    specialisations = new Specialisations(options.maxSpecialisations(), this::giveArenasBack);
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
    return fixed != Fixed.ALL && batch.isPresent();
  }

  /// As far as it shows before a shape comes.
  @Override
  public boolean isBatchable() {
    return hasBatch() && fixed == Fixed.OTHERS && deciding.isEmpty();
  }

  @Override
  public int rowsTogether(RequestShape shape) {
    if (!isBatchable()) {
      return 0;
    }
    try {
      return withPrepared(
          new RequestShape(1, shape.sizes()),
          it -> Math.min(options.maxBatch(), it.rowsTogether(loader.roomBytes())));
    } catch (ModelException | InvalidRequestException e) {
      return 0; // each request alone hears why
    }
  }

  @Override
  public int instances() {
    return options.maxSpecialisations();
  }

  @Override
  public long reservedBytes() {
    return statistics().bytes();
  }

  @Override
  public Optional<SpecialisationStatistics> specialisations() {
    return Optional.of(statistics());
  }

  private SpecialisationStatistics statistics() {
    return specialisations.statistics(specialiser.kernels(), specialiser.mostKernels());
  }

  @Override
  public PlanReport plan(int batch) {
    List<Specialisation> ready = specialisations.ready();
    if (ready.isEmpty()) {
      throw new NotPlannedException(
          "model '"
              + name()
              + "' is planned per input shape, and no request came yet; name sizes with --dim, or"
              + " load it with them");
    }
    Specialisation latest = ready.getLast();
    return new PlanReports(latest.compiled(), latest.reservation(), loader.device())
        .apply(latest.signature().hasBatch() ? batch : 1);
  }

  @Override
  public void prepare(Map<String, Long> sizes) {
    RequestShape shape = named(sizes);
    try {
      withPrepared(shape, specialisation -> specialisation.upTo(shape.batch()));
    } catch (ModelException e) {
      throw cannotPrepare(sizes, e);
    }
  }

  private InvalidRequestException cannotPrepare(Map<String, Long> sizes, ModelException why) {
    return new InvalidRequestException(
        "model '%s' cannot be prepared for %s: %s"
            .formatted(name(), new TreeMap<>(sizes), inALine(why)));
  }

  @Override
  public int kernelsOfAllShapes(Map<String, Long> sizes) {
    try {
      return specialiser.kernelsFor(wanted(named(sizes)).options());
    } catch (ModelException e) {
      throw cannotPrepare(sizes, e);
    }
  }

  private RequestSizes wanted(RequestShape shape) {
    RequestValues shapes = RequestValues.unknown(signature, signature.shapes(shape));
    return requests
        .sizes(Fixed.OTHERS, shapes, Set.of())
        .or(() -> requests.sizes(Fixed.ALL, shapes, Set.of()))
        .orElseThrow();
  }

  private <T> T withPrepared(RequestShape shape, Function<Specialisation, T> use) {
    RequestSizes wanted = wanted(shape);
    return specialisations.with(wanted.key(), () -> compile(wanted, wanted.key()), use);
  }

  private RequestShape named(Map<String, Long> sizes) {
    Map<String, Long> others = new TreeMap<>(sizes);
    Long rows = batch.map(others::remove).orElse(null);
    Set<String> unknown = new TreeSet<>(others.keySet());
    unknown.removeAll(signature.symbols());
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          "model '%s' has no open dimension %s; it has %s and the batch %s"
              .formatted(name(), unknown, signature.symbols(), batch.orElse("is not open")));
    }
    return new RequestShape(rows == null ? 1 : rows, others);
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    Optional<Served> by = shapesDecide() ? knownShapes.of(request.shapes()) : Optional.empty();
    return by.flatMap(
            it -> specialisations.withReady(it.key(), ready -> serve(ready, it, request, reader)))
        .orElseGet(() -> inferNew(request, reader));
  }

  /* Whether requests of equal shapes are served alike. */
  private boolean shapesDecide() {
    return fixed == Fixed.OTHERS && deciding.isEmpty();
  }

  private <T> T inferNew(InferenceRequest request, ResponseReader<T> reader) {
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
          return infer(sizes.get(), values, reader);
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
      return infer(all, values, reader);
    } catch (ModelException e) {
      if (reasons.isEmpty()) {
        whyNotOpen(values, known).ifPresent(reasons::add);
      }
      reasons.add(e);
      throw refusal(values, reasons);
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
  private RuntimeException refusal(RequestValues values, List<ModelException> reasons) {
    return reasons.stream()
        .map(reason -> failures(reason, values.request()))
        .filter(failures -> !failures.isEmpty())
        .findFirst()
        .<RuntimeException>map(RequestFailedException::new)
        .orElseGet(() -> cannotRun(values.toString(), reasons.getLast()));
  }

  private <T> T infer(RequestSizes sizes, RequestValues values, ResponseReader<T> reader) {
    return specialisations.with(
        sizes.key(),
        () -> compile(sizes, values.toString()),
        s -> serve(s, served(s, sizes, values.request()), values.request(), reader));
  }

  private Served served(
      Specialisation specialisation, RequestSizes sizes, InferenceRequest request) {
    int rows = (int) specialisation.signature().check(request.shapes()).batch();
    Served served = new Served(sizes.key(), rows);
    if (sizes.fixed() == Fixed.OTHERS && sizes.known().isEmpty()) {
      knownShapes.add(request.shapes(), served);
    }
    return served;
  }

  private InvalidRequestException cannotRun(String what, Exception why) {
    return new InvalidRequestException(
        "model '%s' cannot run inputs of %s: %s".formatted(name(), what, inALine(why)));
  }

  private static String inALine(Exception why) {
    return why instanceof ModelException model
        ? model.problems().stream().map(Problem::toString).collect(Collectors.joining("; "))
        : String.valueOf(why.getMessage());
  }

  private <T> T serve(
      Specialisation specialisation,
      Served by,
      InferenceRequest request,
      ResponseReader<T> reader) {
    PreparedBatch batch = specialisation.upTo(by.rows());
    takeTurn(batch, request);
    try {
      Allocation arena = arena(specialisation, batch, by.key(), request);
      try {
        return batch.serve(arena.offset(), by.rows(), request, reader);
      } finally {
        held.release(arena);
      }
    } finally {
      batch.turn().release();
    }
  }

  private static void takeTurn(PreparedBatch batch, InferenceRequest request) {
    try {
      if (!batch.turn().tryAcquire(request.patienceNanos(), TimeUnit.NANOSECONDS)) {
        throw new AbandonedRequestException("the request's deadline passed before it ran");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbandonedRequestException("the request was cancelled before it ran");
    }
  }

  /* Held blocks give way by themselves, idle specialisations here. */
  private Allocation arena(
      Specialisation specialisation, PreparedBatch batch, String key, InferenceRequest request) {
    AllocationResult result;
    do {
      result = held.acquire(tag(key, batch.most()), batch.arenaBytes());
    } while (result instanceof Refusal && specialisations.evictOldest());
    return switch (result) {
      case Allocation arena -> arena;
      case Refusal refusal -> throw refused(specialisation, refusal, request);
    };
  }

  private String tag(String key, long most) {
    return name() + "/" + key + " of " + most;
  }

  private void giveArenasBack(String key, Specialisation gone) {
    gone.buckets().forEach(most -> held.giveBack(tag(key, most)));
  }

  /* What values alone make larger than all memory is the request's fault, and no time cures it. */
  private RuntimeException refused(
      Specialisation specialisation, Refusal refusal, InferenceRequest request) {
    String message =
        "a request of shapes "
            + RequestSizes.text(request.shapes())
            + " to '"
            + name()
            + "' needs memory that the pool does not have: "
            + refusal.message();
    boolean never =
        refusal.reason() == Refusal.Reason.OVER_CAPACITY
            && !specialisation.compiled().specialisedOn().isEmpty();
    return never ? new InvalidRequestException(message) : new LoadRefusedException(message);
  }

  /* What sizes and values break is the fault of the request. */
  private Specialisation compile(RequestSizes sizes, String what) {
    Specialisation compiled;
    try {
      compiled =
          specialiser.specialise(sizes.options(), sizes.known(), specialisations::evictOldest);
    } catch (ArithmeticException | FoldingLimitException | BudgetSpentException e) {
      throw cannotRun(what, e);
    }
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
    specialiser.close();
  }
}
