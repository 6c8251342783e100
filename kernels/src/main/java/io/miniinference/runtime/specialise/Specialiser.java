package io.miniinference.runtime.specialise;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ProgramCode;
import io.miniinference.ir.Graph;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pass.FoldingLimitException;
import io.miniinference.pass.OpenAxes;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.WeightSet;
import io.miniinference.runtime.load.Eviction;
import io.miniinference.runtime.load.LargestShape;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.MoreValuesException;
import io.miniinference.runtime.load.OpenPrograms;
import io.miniinference.runtime.load.PromisedRoom;
import io.miniinference.runtime.load.Specialisation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Makes the specialisations of one model: all of the pipeline runs in Java for each of them, and
/// kernels are shared by all ([OpenPrograms]) where the device builds any.
final class Specialiser implements AutoCloseable {
  /// Other shapes that a kernel is compared with ahead of its build.
  private static final int OTHERS = 2;

  private final OnnxModel model;
  private final ModelLoader loader;
  private final OtherSizes others;
  private final Optional<OpenPrograms> open;

  /// Of shapes that came before, by [RequestSizes#key].
  private final EarlierPlans earlier = new EarlierPlans();

  /// Whose turn it is to plan for a key: the others find what it made.
  private final Map<String, Lock> turns = new ConcurrentHashMap<>();

  /// By whether whole shapes are given.
  private final Map<Boolean, OpenAxes> axes = new ConcurrentHashMap<>();

  Specialiser(OnnxModel model, ModelLoader loader, OtherSizes others) {
    this.model = model;
    this.loader = loader;
    this.others = others;
    open = loader.openPrograms();
  }

  /// Compiles the model for one set of sizes, and of values where sizes follow from them, and puts
  /// its weights into the pool; its arena is borrowed per request.
  ///
  /// @param sizes and the inputs by whose values specialisations are told apart
  /// @param room that the model has, if any
  /// @param eviction makes room in the pool
  /// @throws MoreValuesException if others decide, too
  /// @throws io.miniinference.runtime.LoadRefusedException if the pool has no room for its weights
  Specialisation specialise(RequestSizes sizes, Optional<PromisedRoom> room, Eviction eviction) {
    Written written = written(sizes, room);
    Optional<List<DeviceProgram>> programs = written.shared.map(OpenPrograms::programs);
    return loader.specialise(written.compiled, sizes.options(), programs, room, eviction);
  }

  /// Does of the above what the pool has no part in, and keeps it where it serves later requests.
  ///
  /// @throws MoreValuesException if others decide, too
  void compile(RequestSizes sizes) {
    written(sizes, Optional.empty());
  }

  /// Whether a plan for these sizes is kept.
  boolean isKept(RequestSizes sizes) {
    return earlier.has(sizes.key());
  }

  /// How many plans may be made ahead of their requests, so that they drive out few others.
  int plansAhead() {
    return earlier.ahead();
  }

  /// Whether a plan more would be kept, and drive out none.
  boolean keepsFurtherPlans() {
    return earlier.hasRoom() && open.map(programs -> !programs.isFull()).orElse(true);
  }

  /// @param shared what has the kernels, if others may have the same
  private record Written(Compiled compiled, Optional<OpenPrograms> shared) {}

  /* A request may ask for what is planned ahead of it just now. */
  private Written written(RequestSizes sizes, Optional<PromisedRoom> room) {
    Lock turn = turns.computeIfAbsent(sizes.key(), _ -> new ReentrantLock());
    turn.lock();
    try {
      return earlier
          .of(sizes.key())
          .map(known -> new Written(known, open))
          .orElseGet(() -> writtenAnew(sizes, room));
    } finally {
      turns.remove(sizes.key(), turn);
      turn.unlock();
    }
  }

  private Written writtenAnew(RequestSizes sizes, Optional<PromisedRoom> room) {
    Optional<OpenPrograms> shared = open.filter(programs -> !programs.isFull());
    Compiled compiled = loader.bounded(model).within(() -> compiled(sizes.options(), shared, room));
    if (!sizes.known().containsAll(compiled.specialisedOn())) {
      throw new MoreValuesException(compiled.specialisedOn());
    }
    if (shared.isPresent() || open.isEmpty()) {
      earlier.add(sizes.key(), compiled); // kernels that are shared stay as long as the model
    }
    return new Written(compiled, shared);
  }

  /// Plans the model for the largest sizes of requests that are to have room, and builds nothing.
  ///
  /// @param ahead sizes by symbol that are compiled before, and the largest
  /// @param options that fix the largest
  LargestShape planned(List<Map<String, Long>> ahead, LoadOptions options) {
    Compiled compiled =
        open.map(programs -> planned(programs, options))
            .orElseGet(() -> loader.compile(model, options));
    List<WeightSet> weights =
        Stream.concat(Stream.of(others.of(options)), others.smallest(options).stream())
            .flatMap(sized -> sized.flatMap(it -> tried(() -> unwritten(it)).stream()).limit(1))
            .map(Compiled::weights)
            .toList();
    return LargestShape.of(ahead, options, compiled, weights);
  }

  /// Plans kernels that fit many shapes before those of the largest, whose neighbours the model may
  /// not take. Nothing is built.
  ///
  /// @return false if the model does not take these sizes, or the device builds no kernels
  boolean plansKernels(LoadOptions options) {
    return open.flatMap(programs -> tried(() -> planned(programs, options))).isPresent();
  }

  private Compiled planned(OpenPrograms programs, LoadOptions options) {
    return loader.compile(
        model,
        options,
        axes(options),
        (program, piece) -> programs.planned(program, piece, () -> others(options)),
        Optional.empty());
  }

  private Compiled compiled(
      LoadOptions options, Optional<OpenPrograms> shared, Optional<PromisedRoom> room) {
    return shared
        .map(programs -> compile(programs, options, room))
        .orElseGet(() -> loader.compile(model, options, room));
  }

  private Compiled compile(
      OpenPrograms programs, LoadOptions options, Optional<PromisedRoom> room) {
    return loader.compile(
        model,
        options,
        axes(options),
        (program, piece) ->
            programs.generate(
                program, piece, () -> others(options), () -> rehearse(programs, options)),
        room);
  }

  private void rehearse(OpenPrograms programs, LoadOptions options) {
    loader
        .bounded(model)
        .within(() ->
            loader.compile(
                model,
                options,
                axes(options),
                (program, piece) -> {
                  programs.rehearse(program, piece);
                  return nothing(program);
                },
                Optional.empty()));
  }

  /* Open in requests with these things given. */
  private OpenAxes axes(LoadOptions options) {
    if (open.isEmpty()) {
      return OpenAxes.NONE;
    }
    return axes.computeIfAbsent(!options.inputShapes().isEmpty(), _ -> learned(options));
  }

  /* Any two are compared: a value may be there only in graphs of larger sizes than the first. */
  private OpenAxes learned(LoadOptions options) {
    List<Graph> graphs = new ArrayList<>(List.of(loader.graph(model, options)));
    others
        .of(options)
        .flatMap(it -> tried(() -> loader.graph(model, it)).stream())
        .limit(OTHERS)
        .forEach(graphs::add);
    OpenAxes axes = OpenAxes.NONE;
    for (int i = 1; i < graphs.size(); i++) {
      for (Graph before : graphs.subList(0, i)) {
        axes = axes.and(OpenAxes.between(before, graphs.get(i)));
      }
    }
    return axes;
  }

  private List<LoweredProgram> others(LoadOptions options) {
    List<LoweredProgram> programs = new ArrayList<>(lowered(others.of(options), OTHERS));
    others.smallest(options).forEach(it -> programs.addAll(lowered(it, 1)));
    if (open.map(OpenPrograms::haveRanges).orElse(false)) {
      others.ranges(options).forEach(it -> programs.addAll(lowered(it, 1)));
    }
    return programs;
  }

  /* The first ones that the model runs. */
  private List<LoweredProgram> lowered(Stream<LoadOptions> sizes, int most) {
    return sizes.flatMap(it -> tried(() -> lowered(it)).stream()).limit(most).toList();
  }

  private LoweredProgram lowered(LoadOptions options) {
    return unwritten(options).lowered();
  }

  /* Without kernels. */
  private Compiled unwritten(LoadOptions options) {
    return loader.compile(
        model, options, axes(options), (program, _) -> nothing(program), Optional.empty());
  }

  /* Empty for sizes that the model does not run, or that are too much for a limit of loads. */
  private static <T> Optional<T> tried(Supplier<T> compiling) {
    try {
      return Optional.of(compiling.get());
    } catch (ModelException
        | ArithmeticException
        | FoldingLimitException
        | BudgetSpentException e) {
      return Optional.empty();
    }
  }

  private static Generated nothing(LoweredProgram program) {
    ProgramCode none = new ProgramCode(program.graph().name(), "", "", List.of());
    return new Generated(none, List.of(), List.of());
  }

  /// Kernels that its shapes share.
  int kernels() {
    return open.map(OpenPrograms::kernels).orElse(0);
  }

  /// How many kernels a first request of these sizes would build.
  int kernelsFor(LoadOptions options) {
    return open.map(programs -> kernelsFor(programs, options)).orElse(0);
  }

  private int kernelsFor(OpenPrograms programs, LoadOptions options) {
    return loader
        .bounded(model)
        .of(() -> programs.missing(lowered(options), () -> others(options)));
  }

  /// Kernels that its shapes may share.
  int mostKernels() {
    return open.isPresent() ? OpenPrograms.MOST_KERNELS : 0;
  }

  @Override
  public void close() {
    open.ifPresent(OpenPrograms::close);
  }
}
