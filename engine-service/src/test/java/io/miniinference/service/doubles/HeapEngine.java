package io.miniinference.service.doubles;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DriverCalls;
import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.Refusal;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.ModelToLoad;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.Dictionary;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// An engine whose models are known by their names: `adder`, `picker`, `same-TYPE`, `same-string`,
/// `scalar`, `empty`, `lost`, `waiting`, `unreadable`, `overflowing`, `exhausting`, `huge`, and
/// further names as `adder`.
public final class HeapEngine implements Engine {
  private static final long MODEL_BYTES = 4096;
  private static final long ROWS_OF_PICKER = 10;

  private final MemoryPool pool;
  private final List<Model> models = new ArrayList<>();

  /// Set when a request of `waiting` has begun; it ends when [#release] has a permit.
  public final CountDownLatch begun = new CountDownLatch(1);

  public final Semaphore release = new Semaphore(0);

  public HeapEngine(EngineOptions options) {
    pool = new MemoryPool(options.poolBytes());
  }

  @Override
  public DeviceInfo device() {
    return new DeviceInfo(
        DeviceInfo.Kind.JVM,
        "heap",
        "tests",
        "1",
        "JVM",
        1,
        1,
        1 << 30,
        1 << 30,
        0,
        true,
        true,
        false,
        false);
  }

  @Override
  public boolean healthy() {
    return true;
  }

  @Override
  public MemoryPool pool() {
    return pool;
  }

  @Override
  public long planFallbacks() {
    return 0;
  }

  @Override
  public DriverCalls driverCalls() {
    return new DriverCalls(1, 2, 3, 4, 5, 6, 7);
  }

  @Override
  public Model load(OnnxModel model, LoadOptions options) {
    return load(model.name(), Path.of("model.onnx"), options);
  }

  @Override
  public Model load(String name, Path file, LoadOptions options) {
    if (name.equals("unreadable")) {
      throw new ModelException(
          name,
          13,
          List.of(
              new Problem("node 'a' (Foo)", "is not an operator of ONNX"),
              new Problem("node 'b' (Bar)", "is not an operator of ONNX")));
    }
    if (name.equals("overflowing")) {
      throw new StackOverflowError();
    }
    if (name.equals("exhausting")) {
      throw new OutOfMemoryError("Java heap space");
    }
    Model model = model(name, options, memory(name));
    models.add(model);
    return model;
  }

  @Override
  public PreparedModel prepare(String name, Path file, Function<OnnxModel, ModelToLoad> reading) {
    return prepare(name, file, reading.apply(undeclared(name)).options());
  }

  /* Files of these models declare nothing. */
  private static OnnxModel undeclared(String name) {
    GraphProto graph = GraphProto.getDefaultInstance();
    return new OnnxModel(name, null, 0, Map.of(), "", graph, List.of(), Map.of(), List.of());
  }

  @Override
  public PreparedModel prepare(OnnxModel model, LoadOptions options) {
    return prepare(model.name(), Path.of("model.onnx"), options);
  }

  @Override
  public PreparedModel prepare(String name, Path file, LoadOptions options) {
    return new PreparedModel() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public int largestBatch() {
        return options.maxBatch();
      }

      @Override
      public boolean isSizedByRequests() {
        return false;
      }

      @Override
      public long bytes(int maxBatch) {
        return bytesOf(name);
      }

      @Override
      public PlanReport plan(int maxBatch, int batch) {
        return new PlanReport("", "{}", "", List.of());
      }

      @Override
      public Model load(int maxBatch) {
        return HeapEngine.this.load(name, file, options.withMaxBatch(maxBatch));
      }
    };
  }

  @Override
  public PlanReport plan(OnnxModel model, LoadOptions options, int batch) {
    return new PlanReport("", "{}", "", List.of());
  }

  private Allocation memory(String name) {
    return switch (pool.allocate(bytesOf(name), name)) {
      case Allocation allocation -> allocation;
      case Refusal refusal -> throw new LoadRefusedException(refusal.message());
    };
  }

  private static long bytesOf(String name) {
    return name.equals("huge") ? 1L << 40 : MODEL_BYTES;
  }

  private Model model(String name, LoadOptions options, Allocation memory) {
    int batch = options.maxBatch();
    if (name.equals("same-string")) {
      return strings(name, batch, memory);
    }
    if (name.startsWith("same-")) {
      ElementType type =
          ElementType.parse(name.substring(5).toLowerCase(Locale.ROOT)).orElseThrow();
      return same(name, new TensorType(type, rows(2)), batch, memory);
    }
    return switch (name) {
      case "scalar" -> same(name, TensorType.of(ElementType.F32), 1, memory);
      case "empty" -> same(name, TensorType.of(ElementType.F32, 2, 0), 1, memory);
      case "picker" -> picker(name, batch, memory);
      case "lost" -> adder(name, batch, memory, HeapEngine::lose);
      case "waiting" -> adder(name, batch, memory, this::await);
      default -> adder(name, batch, memory, () -> {});
    };
  }

  private static List<Affine> rows(long columns) {
    return List.of(Affine.N, Affine.of(columns));
  }

  private static void lose() {
    throw new DeviceException("clFinish: CL_DEVICE_NOT_AVAILABLE (-2)");
  }

  private void await() {
    begun.countDown();
    release.acquireUninterruptibly();
  }

  private static Model same(String name, TensorType type, int batch, Allocation memory) {
    HeapModel.Body body =
        (shapes, inputs) -> List.of(new Output(shapes.getFirst(), inputs.getFirst()));
    List<Value> x = List.of(new Value("x", type));
    List<Value> y = List.of(new Value("y", type));
    return new HeapModel(name, x, y, type.isStatic() ? 1 : batch, body, memory);
  }

  /// Strings as they come, of [N, 2]; `known` is in the model's dictionary.
  private static Model strings(String name, int batch, Allocation memory) {
    TensorSpec x = TensorSpec.of(new Value("x", new TensorType(ElementType.I32, rows(2))));
    List<TensorSpec> in = List.of(strings("x", x));
    var signature =
        new Signature(
            name,
            in,
            List.of(strings("y", x)),
            batch,
            Map.of(),
            Dictionary.of(List.of("known".getBytes(StandardCharsets.UTF_8))));
    return new HeapModel(
        signature,
        (shapes, inputs) -> List.of(new Output(shapes.getFirst(), inputs.getFirst())),
        memory);
  }

  private static TensorSpec strings(String name, TensorSpec like) {
    return new TensorSpec(name, like.element(), CodedType.STRING, like.dims());
  }

  /// `sum = a + b` and `difference = a - b` over [N, 3].
  private static Model adder(String name, int batch, Allocation memory, Runnable before) {
    var type = new TensorType(ElementType.F32, rows(3));
    HeapModel.Body body =
        (shapes, inputs) -> {
          before.run();
          return List.of(
              new Output(shapes.getFirst(), combined(inputs, 1)),
              new Output(shapes.getFirst(), combined(inputs, -1)));
        };
    List<Value> in = List.of(new Value("a", type), new Value("b", type));
    List<Value> out = List.of(new Value("sum", type), new Value("difference", type));
    return new HeapModel(name, in, out, batch, body, memory);
  }

  private static MemorySegment combined(List<MemorySegment> inputs, float sign) {
    MemorySegment a = inputs.get(0);
    MemorySegment b = inputs.get(1);
    var result = MemorySegment.ofArray(new byte[(int) a.byteSize()]);
    for (long at = 0; at < a.byteSize(); at += 4) {
      float value = a.get(JAVA_FLOAT_UNALIGNED, at) + sign * b.get(JAVA_FLOAT_UNALIGNED, at);
      result.set(JAVA_FLOAT_UNALIGNED, at, value);
    }
    return result;
  }

  /// Fails the rows whose index is not below 10, and returns the others as they are.
  private static Model picker(String name, int batch, Allocation memory) {
    var type = new TensorType(ElementType.I64, List.of(Affine.N));
    HeapModel.Body body =
        (shapes, inputs) -> {
          List<FailureReport> failures = failures(inputs.getFirst());
          if (!failures.isEmpty()) {
            throw new RequestFailedException(failures);
          }
          return List.of(new Output(shapes.getFirst(), inputs.getFirst()));
        };
    List<Value> in = List.of(new Value("indices", type));
    List<Value> out = List.of(new Value("picked", type));
    return new HeapModel(name, in, out, batch, body, memory);
  }

  private static List<FailureReport> failures(MemorySegment indices) {
    List<FailureReport> failures = new ArrayList<>();
    for (int row = 0; row < indices.byteSize() / 8; row++) {
      long index = indices.get(JAVA_LONG_UNALIGNED, row * 8L);
      if (index >= ROWS_OF_PICKER) {
        failures.add(
            new FailureReport(
                "pick",
                "Gather",
                0,
                index,
                -ROWS_OF_PICKER,
                ROWS_OF_PICKER - 1,
                row,
                1,
                row,
                null,
                "index_out_of_bounds"));
      }
    }
    return failures;
  }

  @Override
  public void close() {
    models.forEach(Model::close);
    models.clear();
    pool.close();
  }
}
