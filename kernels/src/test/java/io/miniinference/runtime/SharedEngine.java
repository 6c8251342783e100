package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DriverCalls;
import io.miniinference.device.TestCache;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// Small models on one engine: what tests of a model's answers have in common.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedEngine {
  static final long POOL_BYTES = Long.getLong("mie.test.pool", 64L << 20);

  /// The device that the tests run on.
  @Parameter TestedDevice tested;

  private Engine engine;

  @BeforeParameterizedClassInvocation
  final void open() {
    engine = open(tested);
  }

  static Engine open(TestedDevice device) {
    return Engines.open(
        new EngineOptions(
            POOL_BYTES, device.device(), null, null, device.codegen(), TestCache.FOLDER));
  }

  @AfterParameterizedClassInvocation
  final void close() {
    engine.close();
  }

  final Model load(TestModel model) {
    return load(model.read());
  }

  final Model load(OnnxModel model) {
    return load(model, 64);
  }

  final Model load(OnnxModel model, int maxBatch) {
    return load(model, LoadOptions.defaults().withMaxBatch(maxBatch));
  }

  final Model load(OnnxModel model, LoadOptions options) {
    return engine.load(model, options);
  }

  final DriverCalls driverCalls() {
    return engine.driverCalls();
  }

  static Tensor longs(long[] shape, long... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[values.length * 8]);
    MemorySegment.copy(values, 0, data, ValueLayout.JAVA_LONG_UNALIGNED, 0, values.length);
    return new Tensor(ElementType.I64, shape, data);
  }

  static Tensor floats(long[] shape, float... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[values.length * 4]);
    MemorySegment.copy(values, 0, data, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, values.length);
    return new Tensor(ElementType.F32, shape, data);
  }

  /// The numbers from 0 on.
  static Tensor counted(ElementType type, long... shape) {
    Tensor tensor = Interpreter.allocate(type, shape);
    float[] floats = new float[(int) tensor.elements()];
    long[] longs = new long[floats.length];
    Arrays.setAll(longs, i -> i);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = i;
    }
    return type == ElementType.F32 ? floats(shape, floats) : longs(shape, longs);
  }

  static long[] shape(long... dims) {
    return dims;
  }

  /// Integers of any type.
  static Tensor wholes(ElementType type, long[] shape, long... values) {
    Tensor tensor = Interpreter.allocate(type, shape);
    for (int i = 0; i < values.length; i++) {
      ElementBits.write(tensor.data(), type, i, values[i]);
    }
    return tensor;
  }

  static InferenceRequest request(Tensor... inputs) {
    return new InferenceRequest(
        Arrays.stream(inputs).map(Tensor::shape).toList(),
        (i, staging) -> staging.copyFrom(inputs[i].data()));
  }

  static byte[] run(Model model, Tensor... inputs) {
    return model.infer(
        request(inputs), outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_BYTE));
  }

  /// The elements of each output, which are integers.
  static List<List<Long>> allWholes(Model model, Tensor... inputs) {
    return model.infer(
        request(inputs),
        outputs ->
            IntStream.range(0, outputs.size())
                .mapToObj(i -> wholes(model.outputs().get(i).element(), outputs.get(i)))
                .toList());
  }

  private static List<Long> wholes(ElementType type, ResponseReader.Output output) {
    Tensor tensor = new Tensor(type, output.shape(), output.data());
    return LongStream.range(0, tensor.elements())
        .mapToObj(i -> ElementBits.read(tensor, i).bits())
        .toList();
  }

  static float[] reals(Model model, Tensor... inputs) {
    return MemorySegment.ofArray(run(model, inputs)).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  static void assertFails(String message, Model model, Tensor... inputs) {
    assertThatThrownBy(() -> run(model, inputs))
        .isInstanceOf(RequestFailedException.class)
        .hasMessage(message);
  }

  static long[] wholes(Model model, Tensor... inputs) {
    return MemorySegment.ofArray(run(model, inputs)).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
  }
}
