package io.miniinference.bench.contrib;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.ops.Importer;
import io.miniinference.ops.node.ImportOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What ONNX Runtime answers beside what the engine answers.
final class Peers {
  private static final double NEAR = 2e-4;

  private Peers() {}

  /// The core IR of a file.
  static Graph imported(byte[] model) {
    return imported(read(model)).graph();
  }

  private static Importer.Imported imported(OnnxModel model) {
    return Importer.importWithValues(model, ImportOptions.defaults());
  }

  private static OnnxModel read(byte[] model) {
    return OnnxReader.read("peer", ByteBuffer.wrap(model), null, ReadLimits.defaults());
  }

  /// What the engine answers a request, for whose sizes the file is imported.
  static List<Tensor> answers(byte[] model, Map<String, Tensor> request) {
    Map<String, long[]> shapes = new LinkedHashMap<>();
    request.forEach((name, value) -> shapes.put(name, value.shape()));
    Graph graph =
        Importer.importModel(
            read(model), ImportOptions.defaults().withInputShapes(shapes).withInputValues(request));
    List<Tensor> inputs =
        graph.inputs().stream().map(input -> requireNonNull(request.get(input.name()))).toList();
    return Interpreter.run(graph, inputs);
  }

  static ElementType type(TensorProto proto) {
    return ElementType.ofOnnx(proto.getDataType()).orElseThrow();
  }

  /// Holds the engine to ONNX Runtime: whole numbers are equal, floats are within 2e-4 of the
  /// largest.
  static void compare(PeerModel model) {
    compare(model, 0);
  }

  /// As above, and mutants of the model are imported or refused.
  ///
  /// @param steps that whole numbers may differ by
  static void compare(PeerModel model, int steps) {
    compare(model, steps, NEAR);
  }

  /// As above, where either rounds what it computes with.
  ///
  /// @param ofLargest what floats may differ by, of the largest
  static void compareRounded(PeerModel model, double ofLargest) {
    compare(model, 0, ofLargest);
  }

  private static void compare(PeerModel model, int steps, double ofLargest) {
    Mutants.hold(model.bytes());
    List<Tensor> expected = onnxRuntime(model.bytes(), model.request());
    Importer.Imported own = imported(read(model.bytes()));
    List<Tensor> actual = own.cuts().cut(Interpreter.run(own.graph(), model.values()));
    hold(actual, expected, steps, ofLargest);
  }

  static void hold(List<Tensor> actual, List<Tensor> expected, int steps) {
    hold(actual, expected, steps, NEAR);
  }

  private static void hold(
      List<Tensor> actual, List<Tensor> expected, int steps, double ofLargest) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i).element()).isEqualTo(expected.get(i).element());
      assertThat(actual.get(i).shape()).isEqualTo(expected.get(i).shape());
      hold(TensorView.of(actual.get(i)), TensorView.of(expected.get(i)), steps, ofLargest);
    }
  }

  private static void hold(TensorView actual, TensorView expected, int steps, double ofLargest) {
    double largest = 0;
    boolean floats = expected.element().isFloat();
    for (long i = 0; floats && i < expected.elements(); i++) {
      largest = Math.max(largest, Math.abs(expected.realAt(i)));
    }
    for (long i = 0; i < expected.elements(); i++) {
      if (floats) {
        assertThat(Math.abs(actual.realAt(i) - expected.realAt(i)))
            .as("element %d: %s, not %s", i, actual.realAt(i), expected.realAt(i))
            .isLessThanOrEqualTo(ofLargest * largest);
      } else {
        assertThat(Math.abs(actual.wholeAt(i) - expected.wholeAt(i)))
            .as("element %d: %s, not %s", i, actual.wholeAt(i), expected.wholeAt(i))
            .isLessThanOrEqualTo(steps);
      }
    }
  }

  /// The answers of ONNX Runtime, which leaves the file as it is.
  static List<Tensor> onnxRuntime(byte[] model, Map<String, Tensor> request) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
    try (var options = new SessionOptions()) {
      options.setOptimizationLevel(OptLevel.NO_OPT);
      options.setIntraOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      try (OrtSession session = environment.createSession(model, options)) {
        for (var entry : request.entrySet()) {
          inputs.put(entry.getKey(), tensor(environment, entry.getValue()));
        }
        return outputs(session, inputs);
      } finally {
        inputs.values().forEach(OnnxTensor::close);
      }
    } catch (OrtException e) {
      throw new AssertionError("ONNX Runtime does not run the model: " + e.getMessage(), e);
    }
  }

  private static List<Tensor> outputs(OrtSession session, Map<String, OnnxTensor> inputs)
      throws OrtException {
    try (OrtSession.Result result = session.run(inputs)) {
      List<Tensor> outputs = new ArrayList<>();
      for (Map.Entry<String, OnnxValue> entry : result) {
        outputs.add(tensor((OnnxTensor) entry.getValue()));
      }
      return outputs;
    }
  }

  private static Tensor tensor(OnnxTensor tensor) {
    ElementType type = type(tensor.getInfo().type);
    byte[] bytes = new byte[tensor.getByteBuffer().remaining()];
    tensor.getByteBuffer().get(bytes);
    return new Tensor(type, tensor.getInfo().getShape(), MemorySegment.ofArray(bytes));
  }

  private static ElementType type(OnnxJavaType type) {
    return Arrays.stream(ElementType.values())
        .filter(t -> type(t) == type)
        .findFirst()
        .orElseThrow();
  }

  private static OnnxTensor tensor(OrtEnvironment environment, Tensor tensor) throws OrtException {
    byte[] bytes = tensor.data().toArray(ValueLayout.JAVA_BYTE);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.nativeOrder());
    buffer.put(bytes).flip();
    return OnnxTensor.createTensor(environment, buffer, tensor.shape(), type(tensor.element()));
  }

  private static OnnxJavaType type(ElementType type) {
    return switch (type) {
      case F32 -> OnnxJavaType.FLOAT;
      case F64 -> OnnxJavaType.DOUBLE;
      case F16 -> OnnxJavaType.FLOAT16;
      case BF16 -> OnnxJavaType.BFLOAT16;
      case I8 -> OnnxJavaType.INT8;
      case U8 -> OnnxJavaType.UINT8;
      case I16 -> OnnxJavaType.INT16;
      case I32 -> OnnxJavaType.INT32;
      case I64 -> OnnxJavaType.INT64;
      case BOOL -> OnnxJavaType.BOOL;
      case U16, U32, U64 -> OnnxJavaType.UNKNOWN;
    };
  }
}
