package io.miniinference.runtime.specialise;

import io.miniinference.runtime.RequestShape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Plans the shapes that requests will have next, where each is larger than the one before by the
/// same step: so a text is generated token by token, or a sound goes through a model piece by
/// piece. It is what a file system does that reads ahead of a file that is read in order: three
/// shapes tell a step, and how far is planned ahead doubles with each request that follows it. For
/// any number of threads.
final class GrowingSizes {
  /// Shapes that came last, by which a step is told.
  private static final int RECENT = 16;

  /// Texts, say, that are generated beside each other.
  private static final int MOST_RUNS = 8;

  private static final int MOST_AHEAD = 64;

  private final Predicate<RequestShape> planning;
  private final IntSupplier room;
  private final Executor threads;
  private final int workers;
  private final Deque<RequestShape> recent = new ArrayDeque<>();
  private final Deque<Run> runs = new ArrayDeque<>();

  /// @param planning plans a shape, unless a plan is there; false if shapes beyond it have none
  ///   either
  /// @param room how many plans may be made that no request asked for
  /// @param workers most tasks at a time for one run
  GrowingSizes(Predicate<RequestShape> planning, IntSupplier room, Executor threads, int workers) {
    this.planning = planning;
    this.room = room;
    this.threads = threads;
    this.workers = workers;
  }

  /* Shapes one step apart. The monitor of all guards it. */
  private static final class Run {
    private final Map<String, Long> step;
    private RequestShape last;
    private RequestShape planned;

    /// Steps from the last one asked for to the last one planned.
    private int ahead;

    private int window;
    private int working;
    private boolean hasEnded;

    Run(RequestShape last, Map<String, Long> step, int window) {
      this.last = last;
      this.step = step;
      this.window = window;
      planned = last;
    }

    /// Whether a shape is one that comes next; then it is the last one asked for.
    boolean reaches(RequestShape shape) {
      RequestShape next = last;
      for (int steps = 1; steps <= Math.max(1, ahead); steps++) {
        next = moved(next, step, 1);
        if (next.equals(shape)) {
          reach(shape, steps);
          return true;
        }
      }
      return false;
    }

    private void reach(RequestShape shape, int steps) {
      last = shape;
      ahead -= steps;
      if (ahead < 0) {
        ahead = 0;
        planned = shape;
      }
      window = Math.min(MOST_AHEAD, 2 * window);
    }

    /// The next shape to plan.
    Optional<RequestShape> take(int room) {
      if (hasEnded || ahead >= Math.min(window, room)) {
        return Optional.empty();
      }
      planned = moved(planned, step, 1);
      ahead++;
      return Optional.of(planned);
    }
  }

  /// A request came of a shape that was not at hand.
  synchronized void asked(RequestShape shape) {
    Optional<Run> run =
        runs.stream().filter(it -> it.reaches(shape)).findFirst().or(() -> begun(shape));
    run.ifPresent(this::move);
    recent.remove(shape);
    recent.addFirst(shape);
    if (recent.size() > RECENT) {
      recent.removeLast();
    }
  }

  private Optional<Run> begun(RequestShape shape) {
    return recent.stream()
        .filter(before -> isThird(before, shape))
        .findFirst()
        .map(before -> new Run(shape, step(before, shape), 2 * workers));
  }

  /* Whether the shape one step before came earlier. */
  private boolean isThird(RequestShape before, RequestShape shape) {
    Map<String, Long> step = step(before, shape);
    boolean grew =
        before.batch() == shape.batch()
            && step.values().stream().allMatch(it -> it >= 0)
            && step.values().stream().anyMatch(it -> it > 0);
    return grew
        && recent.stream()
            .dropWhile(it -> !it.equals(before))
            .anyMatch(moved(before, step, -1)::equals);
  }

  private static Map<String, Long> step(RequestShape before, RequestShape after) {
    Map<String, Long> step = new HashMap<>();
    after
        .sizes()
        .forEach(
            (symbol, size) -> step.put(symbol, size - before.sizes().getOrDefault(symbol, 0L)));
    return step;
  }

  private static RequestShape moved(RequestShape shape, Map<String, Long> step, int steps) {
    Map<String, Long> sizes = new HashMap<>(shape.sizes());
    step.forEach((symbol, size) -> sizes.merge(symbol, steps * size, Long::sum));
    return new RequestShape(shape.batch(), sizes);
  }

  /* The run asked for last is found first, and the one asked for least is forgotten. */
  private void move(Run run) {
    runs.remove(run);
    runs.addFirst(run);
    if (runs.size() > MOST_RUNS) {
      runs.removeLast().hasEnded = true;
    }
    int missing = Math.min(run.window, room.getAsInt()) - run.ahead;
    int more = run.hasEnded ? 0 : Math.min(missing, workers - run.working);
    Stream.generate(() -> run).limit(Math.max(0, more)).forEach(this::begin);
  }

  private void begin(Run run) {
    run.working++;
    threads.execute(() -> work(run));
  }

  private void work(Run run) {
    boolean isPlanned = true;
    Optional<RequestShape> next = next(run, isPlanned);
    while (next.isPresent()) {
      isPlanned = isPlanned(next.get());
      next = next(run, isPlanned);
    }
  }

  /* A request of the shape will meet the same, and tell. */
  private boolean isPlanned(RequestShape shape) {
    try {
      return planning.test(shape);
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private synchronized Optional<RequestShape> next(Run run, boolean goesOn) {
    run.hasEnded |= !goesOn;
    Optional<RequestShape> next = run.take(room.getAsInt());
    run.working -= next.isEmpty() ? 1 : 0;
    return next;
  }
}
