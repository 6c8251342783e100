package io.miniinference.runtime.specialise;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.load.ModelLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// What the first request of each shape will do between model and launches, done over and over
/// behind the load of a model with open sizes: it touches neither device nor pool, and nothing is
/// kept of it.
///
/// A JVM compiles code that has run often, and takes several times as long for code that has not.
/// So the first shapes of requests find that code compiled, if a moment passes between load and
/// requests. All models of a process run the same code, and share the time that this may take.
final class WarmUp implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WarmUp.class.getName());

  /// Of a process: by then a shape takes little longer than it ever will.
  private static final AtomicLong LEFT_NANOS = new AtomicLong(TimeUnit.SECONDS.toNanos(3));

  /// What open sizes are taken for, one after the other; a model may not take all of them.
  private static final List<Long> SIZES = List.of(32L, 48L, 16L, 64L);

  /// From symbol to symbol.
  private static final long STEP = 8;

  private final OnnxModel model;
  private final LoadOptions options;
  private final ModelLoader loader;
  private volatile boolean isOver;

  private WarmUp(OnnxModel model, LoadOptions options, ModelLoader loader) {
    this.model = model;
    this.options = options;
    this.loader = loader;
  }

  /// Starts it where there is a core to spare, and time left of what it may take.
  ///
  /// @param loader of all shapes of the model
  static WarmUp start(OnnxModel model, LoadOptions options, ModelLoader loader) {
    WarmUp warmUp = new WarmUp(model, options, loader);
    if (Runtime.getRuntime().availableProcessors() > 1 && LEFT_NANOS.get() > 0) {
      Thread.ofPlatform().daemon().name("warm-up").start(warmUp::run);
    }
    return warmUp;
  }

  private void run() {
    OpenSignature open = OpenSignature.of(model, options);
    OtherSizes others = new OtherSizes(open.signature().inputs(), options);
    try (Specialiser specialiser = new Specialiser(model, loader, others)) {
      List<LoadOptions> shapes = new ArrayList<>(shapes(open));
      while (goesOn() && !shapes.isEmpty()) {
        shapes.removeIf(shape -> goesOn() && !isPlanned(specialiser, shape));
      }
    } catch (RuntimeException | StackOverflowError e) {
      LOG.log(System.Logger.Level.DEBUG, "a warm-up ended early", e);
    }
  }

  private boolean goesOn() {
    return !isOver && LEFT_NANOS.get() > 0;
  }

  private boolean isPlanned(Specialiser specialiser, LoadOptions shape) {
    long start = System.nanoTime();
    try {
      return specialiser.rehearses(shape);
    } finally {
      LEFT_NANOS.addAndGet(start - System.nanoTime());
    }
  }

  private List<LoadOptions> shapes(OpenSignature open) {
    try {
      return SIZES.stream().map(size -> open.sizes(shape(open, size)).options()).toList();
    } catch (InvalidRequestException e) { // no shape is declared
      return List.of();
    }
  }

  private RequestShape shape(OpenSignature open, long size) {
    Map<String, Long> sizes = new TreeMap<>();
    for (String symbol : open.signature().symbols()) {
      long wanted = size + STEP * sizes.size();
      sizes.put(symbol, Math.min(wanted, options.bounds().getOrDefault(symbol, wanted)));
    }
    return new RequestShape(1, sizes);
  }

  /// Has no further turn begin, and waits for none.
  @Override
  public void close() {
    isOver = true;
  }
}
