package io.miniinference.runtime;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.ops.NegativeSizeException;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.AllocationResult;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.pool.PoolExhaustedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// A model with sizes besides the batch, or sizes that follow from the values of small inputs: it
/// is compiled for each set of sizes, and of such values, that comes, up to a number of them, while
/// that request waits and others go on. Which inputs' values decide shows when it is compiled. The
/// batch stays open if the model allows that, so that failures belong to rows.
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
  private final ModelLoader loader;
  private final HeldBlocks held;
  private final List<Value> inputs;
  private final List<Value> outputs;
  private final Specialisations specialisations;

  /// Inputs whose values decided over a specialisation so far.
  private final Set<String> deciding = ConcurrentHashMap.newKeySet();

  /// Whether the batch was found to decide over sizes in a way that only a fixed one can have.
  private volatile boolean batchIsFixed;

  SpecialisingModel(OnnxModel model, LoadOptions options, ModelLoader loader, HeldBlocks held) {
    this.model = model;
    this.options = options;
    this.loader = loader;
    this.held = held;
    inputs = DeclaredTypes.inputs(model);
    outputs = DeclaredTypes.outputs(model);
    specialisations = new Specialisations(MOST_SPECIALISATIONS);
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public List<Value> inputs() {
    return inputs;
  }

  @Override
  public List<Value> outputs() {
    return outputs;
  }

  @Override
  public int maxBatch() {
    return 1;
  }

  @Override
  public boolean hasBatch() {
    return !batchIsFixed && DeclaredTypes.hasBatch(model);
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
    checkRanks(request.shapes());
    RequestValues values = new RequestValues(inputs, request);
    while (true) {
      try {
        return infer(values, reader);
      } catch (MoreValuesException e) {
        deciding.addAll(e.inputs());
      }
    }
  }

  private <T> T infer(RequestValues values, ResponseReader<T> reader) {
    Set<String> known = Set.copyOf(deciding);
    Optional<Sizes> open = openSizes(values, known);
    if (open.isPresent() && !batchIsFixed) {
      try {
        return infer(open.get(), values.request(), reader);
      } catch (NegativeSizeException e) {
        throw new RequestFailedException(failures(e, values.request()));
      } catch (ModelException e) {
        // maybe not with an open batch
      }
    }
    Sizes fixed = fixedSizes(values, known);
    try {
      return infer(fixed, values.request(), reader);
    } catch (ModelException e) {
      List<ModelException> reasons = new ArrayList<>();
      open.flatMap(sizes -> loader.fault(model, sizes.options())).ifPresent(reasons::add);
      reasons.add(e);
      throw refusal(fixed, values.request(), reasons);
    }
  }

  /* A size is not known either if what it follows from fails, which is then what is told. Of the
  open batch, which knows whose row that is, the reasons come first. */
  private RuntimeException refusal(
      Sizes sizes, InferenceRequest request, List<ModelException> reasons) {
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

  private <T> T infer(Sizes sizes, InferenceRequest request, ResponseReader<T> reader) {
    return specialisations.with(
        sizes.key(), () -> compile(sizes), s -> serve(s, sizes.key(), request, reader));
  }

  /// What a specialisation is compiled for.
  ///
  /// @param key the same for requests that it serves
  /// @param known inputs by whose values the key tells requests apart
  private record Sizes(String key, LoadOptions options, Set<String> known, boolean openBatch) {}

  /* The sizes besides the batch, which stays open up to the next power of two. */
  private Optional<Sizes> openSizes(RequestValues values, Set<String> known) {
    List<long[]> shapes = values.request().shapes();
    return DeclaredTypes.sizes(model, shapes)
        .filter(sizes -> sizes.batch() <= MOST_ROWS)
        .map(sizes -> openSizes(sizes, values, known));
  }

  private Sizes openSizes(DeclaredTypes.Sizes sizes, RequestValues values, Set<String> known) {
    Map<String, Long> dimensions = new TreeMap<>(options.dimensions());
    dimensions.putAll(sizes.others());
    int bucket = Integer.highestOneBit(Math.max(1, 2 * (int) sizes.batch() - 1));
    Map<String, Tensor> whole = values.values();
    inputs.stream().filter(i -> !i.type().isStatic()).forEach(i -> whole.remove(i.name()));
    LoadOptions open =
        new LoadOptions(bucket, 1, dimensions, Map.of(), whole, options.maxIterations());
    String key = dimensions + " up to batch " + bucket + values.key(known);
    return new Sizes(key, open, known, true);
  }

  private Sizes fixedSizes(RequestValues values, Set<String> known) {
    List<long[]> shapes = values.request().shapes();
    Map<String, long[]> named = new HashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      named.put(inputs.get(i).name(), shapes.get(i));
    }
    LoadOptions fixed =
        new LoadOptions(
            1, 1, options.dimensions(), named, values.values(), options.maxIterations());
    return new Sizes("shapes " + key(shapes) + values.key(known), fixed, known, false);
  }

  private <T> T serve(
      Specialisation specialisation,
      String key,
      InferenceRequest request,
      ResponseReader<T> reader) {
    specialisation.turn().acquireUninterruptibly();
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

  private Allocation arena(Specialisation specialisation, String key, InferenceRequest request) {
    AllocationResult result = held.acquire(name() + "/" + key, specialisation.arenaBytes());
    try {
      return result.orThrow();
    } catch (PoolExhaustedException e) {
      throw new LoadRefusedException(
          "a request of shapes "
              + key(request.shapes())
              + " to '"
              + name()
              + "' needs memory that the pool does not have: "
              + e.getMessage());
    }
  }

  private Specialisation compile(Sizes sizes) {
    Specialisation compiled = loader.specialise(model, sizes.options(), sizes.known());
    batchIsFixed = !sizes.openBatch();
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

  private void checkRanks(List<long[]> shapes) {
    if (shapes.size() != inputs.size()) {
      throw new InvalidRequestException(
          "model '" + name() + "' takes " + inputs.size() + " inputs, got " + shapes.size());
    }
    for (int i = 0; i < inputs.size(); i++) {
      if (shapes.get(i).length != inputs.get(i).type().rank()) {
        throw new InvalidRequestException(
            "unexpected shape for input '"
                + inputs.get(i).name()
                + "' for model '"
                + name()
                + "'. Expected rank "
                + inputs.get(i).type().rank()
                + ", got "
                + Arrays.toString(shapes.get(i)));
      }
    }
  }

  private static String key(List<long[]> shapes) {
    return shapes.stream().map(Arrays::toString).collect(Collectors.joining(""));
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
