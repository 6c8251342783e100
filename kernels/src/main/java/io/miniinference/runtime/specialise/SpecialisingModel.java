package io.miniinference.runtime.specialise;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.NegativeSizeException;
import io.miniinference.pass.FoldingLimitException;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.NotPlannedException;
import io.miniinference.runtime.OwnRequestException;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.SpecialisationStatistics;
import io.miniinference.runtime.SpecialisationStatistics.Promise;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.MoreValuesException;
import io.miniinference.runtime.load.PreparedBatch;
import io.miniinference.runtime.load.PromisedRoom;
import io.miniinference.runtime.load.Specialisation;
import io.miniinference.runtime.serve.PlanReports;
import io.miniinference.runtime.serve.Reservation;
import io.miniinference.runtime.specialise.KnownShapes.Served;
import io.miniinference.runtime.specialise.RequestSizes.Fixed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// A model with sizes besides the batch, or sizes that follow from the values of small inputs: it
/// is compiled for each set of sizes, and of such values, that comes, up to a number of them, while
/// that request waits and others go on. Which inputs' values decide shows when it is compiled. The
/// batch stays open if the model allows that ([RequestSizes]), so that failures belong to rows.
///
/// Its arenas cannot be reserved at load, but for that of the largest shape that is promised
/// ([RequestArenas]).
final class SpecialisingModel implements Model {
  /// Requests beside one for each worker, whose inputs and outputs are copied meanwhile.
  private static final int FURTHER_REQUESTS = 2;

  private final OnnxModel model;
  private final LoadOptions options;
  private final OpenSignature open;
  private final ModelLoader loader;
  private final Optional<PromisedRoom> room;
  private final RequestArenas arenas;
  private final RequestFaults faults;
  private final Specialiser specialiser;
  private final Specialisations specialisations;
  private final AheadOfRequests ahead;
  private final EverySize everySize;
  private final GrowingSizes growing;

  /// Inputs whose values decided over a specialisation so far.
  private final Set<String> deciding = ConcurrentHashMap.newKeySet();

  private final KnownShapes knownShapes = new KnownShapes();

  /// What was found to do for all requests so far.
  private volatile Fixed fixed = Fixed.OTHERS;

  /// @param loader of all shapes of this model
  /// @param room that was promised, which is the model's to give back
  SpecialisingModel(
      OnnxModel model,
      LoadOptions options,
      ModelLoader loader,
      HeldBlocks held,
      Optional<PromisedRoom> room) {
    this.model = model;
    this.options = options;
    this.loader = loader;
    this.room = room;
    open = OpenSignature.of(model, options);
    arenas = new RequestArenas(open.signature(), held, room);
    faults = new RequestFaults(model.name(), loader.poolBytes(), options.maxIterations());
    specialiser =
        new Specialiser(model, loader, new OtherSizes(open.signature().inputs(), options));
    specialisations = new Specialisations(options.maxSpecialisations(), arenas::giveBack);
    ahead =
        new AheadOfRequests(
            open, sizes -> specialisations.whileOpen(() -> specialiser.compile(sizes)));
    everySize = new EverySize(ahead, specialiser);
    growing =
        new GrowingSizes(
            this::isPlannedNext,
            specialiser::plansAhead,
            PlanningThreads.all(),
            PlanningThreads.number());
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public Signature signature() {
    return open.signature();
  }

  @Override
  public boolean hasBatch() {
    return fixed != Fixed.ALL && open.batch().isPresent();
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
          it -> Math.min(options.maxBatch(), it.rowsTogether(roomBytes())));
    } catch (ModelException | InvalidRequestException e) {
      return 0; // each request alone hears why
    }
  }

  private long roomBytes() {
    return Math.max(loader.roomBytes(), arenas.promisedBytes());
  }

  @Override
  public int instances() {
    return options.maxSpecialisations();
  }

  @Override
  public int concurrency() {
    return Math.min(instances(), Reservation.workers(loader.device()) + FURTHER_REQUESTS);
  }

  @Override
  public boolean isPlanned(List<long[]> shapes) {
    return shapesDecide()
        && knownShapes.of(shapes).filter(it -> specialisations.isReady(it.key())).isPresent();
  }

  @Override
  public int reservedBatch() {
    return room.map(PromisedRoom::batch).orElse(1);
  }

  @Override
  public long reservedBytes() {
    SpecialisationStatistics now = statistics();
    return now.bytes() + now.promise().map(Promise::bytes).orElse(0L);
  }

  @Override
  public Optional<SpecialisationStatistics> specialisations() {
    return Optional.of(statistics());
  }

  private SpecialisationStatistics statistics() {
    return specialisations.statistics(specialiser.kernels(), specialiser.mostKernels(), room);
  }

  @Override
  public PlanReport plan(int batch) {
    return room.map(it -> it.largest().plans(it.batch(), loader.device()))
        .orElseGet(this::latestPlans)
        .openAt(batch);
  }

  private PlanReports latestPlans() {
    List<Specialisation> ready = specialisations.ready();
    if (ready.isEmpty()) {
      throw new NotPlannedException(
          "model '"
              + name()
              + "' is planned per input shape, and no request came yet; name sizes with --dim, or"
              + " load it with them");
    }
    Specialisation latest = ready.getLast();
    return new PlanReports(latest.compiled(), latest.reservation(), loader.device());
  }

  @Override
  public void prepare(Map<String, Long> sizes) {
    RequestShape shape = open.named(sizes);
    try {
      withPrepared(shape, specialisation -> specialisation.upTo(shape.batch()));
    } catch (ModelException e) {
      throw faults.cannotPrepare(sizes, e);
    }
  }

  @Override
  public int warmUp(int shapes) {
    return new WarmUp(ahead).run(shapes);
  }

  @Override
  public boolean planAhead(int most) {
    return everySize.isNextPlanned(most);
  }

  @Override
  public int kernelsOfAllShapes(Map<String, Long> sizes) {
    try {
      return specialiser.kernelsFor(open.sizes(open.named(sizes)).options());
    } catch (ModelException e) {
      throw faults.cannotPrepare(sizes, e);
    }
  }

  /// Compiles the shapes for which room was promised (`LargestShape#compiledAhead`), so that its
  /// kernels are there.
  void prepareLargest() {
    room.orElseThrow().largest().compiledAhead().forEach(this::prepare);
  }

  private <T> T withPrepared(RequestShape shape, Function<Specialisation, T> use) {
    RequestSizes wanted = open.sizes(shape);
    return specialisations.with(
        wanted.key(), () -> compile(wanted, wanted.key(), () -> Long.MAX_VALUE), use);
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
    RequestValues values = new RequestValues(open.signature(), request);
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
    for (Fixed fix : EnumSet.range(Fixed.OTHERS, Fixed.VALUES)) {
      Optional<RequestSizes> sizes =
          fix.compareTo(fixed) < 0 ? Optional.empty() : open.requests().sizes(fix, values, known);
      if (sizes.isPresent()) {
        try {
          return infer(sizes.get(), values, reader);
        } catch (NegativeSizeException e) {
          throw new RequestFailedException(faults.failures(e, values.request()));
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
    RequestSizes all = open.requests().sizes(Fixed.ALL, values, known).orElseThrow();
    try {
      return infer(all, values, reader);
    } catch (ModelException e) {
      if (reasons.isEmpty()) {
        whyNotOpen(values, known).ifPresent(reasons::add);
      }
      reasons.add(e);
      throw faults.refusal(values, reasons);
    }
  }

  private Optional<ModelException> whyNotOpen(RequestValues values, Set<String> known) {
    return open.requests()
        .sizes(Fixed.VALUES, values, known)
        .or(() -> open.requests().sizes(Fixed.OTHERS, values, known))
        .flatMap(sizes -> loader.fault(model, sizes.options()));
  }

  private <T> T infer(RequestSizes sizes, RequestValues values, ResponseReader<T> reader) {
    return specialisations.with(
        sizes.key(),
        () -> compileAndAhead(sizes, values),
        s -> serve(s, served(s, sizes, values.request()), values.request(), reader));
  }

  private Specialisation compileAndAhead(RequestSizes sizes, RequestValues values) {
    if (deciding.isEmpty()) {
      growing.asked(values.shape());
    }
    return compile(sizes, values.toString(), () -> values.request().patienceNanos());
  }

  private boolean isPlannedNext(RequestShape shape) {
    try {
      return specialiser.isKept(open.sizes(shape)) || ahead.isCompiled(shape);
    } catch (InvalidRequestException | ModelClosedException e) {
      return false; // beyond a bound
    }
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

  private <T> T serve(
      Specialisation specialisation,
      Served by,
      InferenceRequest request,
      ResponseReader<T> reader) {
    PreparedBatch batch = specialisation.upTo(by.rows());
    arenas.takeTurn(batch.turn(), request);
    try {
      return arenas.with(
          by.key(),
          specialisation,
          batch,
          request,
          specialisations::evictOldest,
          (offset, isAsLeft) -> batch.serve(offset, isAsLeft, by.rows(), request, reader));
    } finally {
      batch.turn().unlock();
    }
  }

  /* The place of a request that this thread is in comes free for no patience. */
  private boolean evict(Optional<PromisedRoom> fitting, LongSupplier patience) {
    return fitting
        .map(it -> specialisations.leavePlace(it, isServingThisThread() ? 0 : patience.getAsLong()))
        .orElseGet(specialisations::evictOldest);
  }

  /* What sizes and values break is the fault of the request. */
  private Specialisation compile(RequestSizes sizes, String what, LongSupplier patience) {
    Specialisation compiled;
    try {
      compiled = specialiser.specialise(sizes, room, fitting -> evict(fitting, patience));
    } catch (ArithmeticException | FoldingLimitException | BudgetSpentException e) {
      throw faults.cannotRun(what, e);
    }
    if (sizes.fixed().compareTo(fixed) > 0) {
      fixed = sizes.fixed();
    }
    return compiled;
  }

  @Override
  public boolean isClosed() {
    return specialisations.isClosed();
  }

  @Override
  public boolean isServingThisThread() {
    return specialisations.ready().stream().anyMatch(Specialisation::isServingThisThread);
  }

  @Override
  public void close() {
    if (isServingThisThread()) {
      throw OwnRequestException.closing("model '" + name() + "'");
    }
    List<AutoCloseable> parts = new ArrayList<>(List.of(specialisations, specialiser));
    room.ifPresent(parts::add);
    Closing.all(parts);
  }
}
