package io.miniinference.bench.onnxruntime;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.ModelRunner;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A session with its inputs and outputs in memory that was allocated once: a run copies the inputs
/// in and the outputs out, as the engine does, and allocates no tensor.
final class OnnxRuntimeRuns implements Peer.Runs {
  private final String name;
  private final OrtSession session;
  private final List<Slot> inputs = new ArrayList<>();
  private final List<Slot> outputs = new ArrayList<>();
  private final Map<String, OnnxTensor> inputsByName = new LinkedHashMap<>();
  private final Map<String, OnnxTensor> outputsByName = new LinkedHashMap<>();

  private OnnxRuntimeRuns(String name, OrtSession session) {
    this.name = name;
    this.session = session;
  }

  /// A tensor of the session's over memory that Java sees.
  ///
  /// @param outside the same content as the caller of a run has it
  private record Slot(OnnxTensor tensor, MemorySegment inside, Tensor outside) {}

  /// @param shapes tensors of the outputs' types and shapes
  static OnnxRuntimeRuns of(
      String name, OrtEnvironment environment, OrtSession session, Feed feed, List<Tensor> shapes)
      throws OrtException {
    var runs = new OnnxRuntimeRuns(name, session);
    for (Feed.Input input : feed.inputs()) {
      Slot slot = slot(environment, input.tensor());
      runs.inputs.add(slot);
      runs.inputsByName.put(input.name(), slot.tensor());
    }
    int next = 0;
    for (String output : session.getOutputNames()) {
      Slot slot = slot(environment, empty(shapes.get(next++)));
      runs.outputs.add(slot);
      runs.outputsByName.put(output, slot.tensor());
    }
    return runs;
  }

  private static Tensor empty(Tensor like) {
    byte[] bytes = new byte[Math.toIntExact(like.data().byteSize())];
    return new Tensor(like.element(), like.shape(), MemorySegment.ofArray(bytes));
  }

  private static Slot slot(OrtEnvironment environment, Tensor tensor) throws OrtException {
    int bytes = Math.toIntExact(tensor.data().byteSize());
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    OnnxTensor session = OnnxTensor.createTensor(environment, buffer, tensor.shape(), type(tensor));
    return new Slot(session, MemorySegment.ofBuffer(buffer), tensor);
  }

  private static OnnxJavaType type(Tensor tensor) {
    return switch (tensor.element()) {
      case F32 -> OnnxJavaType.FLOAT;
      case F64 -> OnnxJavaType.DOUBLE;
      case I32 -> OnnxJavaType.INT32;
      case I64 -> OnnxJavaType.INT64;
      case BOOL -> OnnxJavaType.BOOL;
      case F16, BF16, I8, I16, U8, U16, U32, U64 ->
          throw new PeerException("a tensor of type " + tensor + " is not handed to ONNX Runtime");
    };
  }

  @Override
  public List<Tensor> outputs() {
    run();
    return outputs.stream().map(Slot::outside).toList();
  }

  @Override
  public List<ModelRunner> runners() {
    return List.of(new ModelRunner(name, Memory.ORDINARY, new InProcess(this::run)));
  }

  private void run() {
    for (Slot input : inputs) {
      input.inside().copyFrom(input.outside().data());
    }
    try {
      session.run(inputsByName, outputsByName).close();
    } catch (OrtException e) {
      throw new PeerException(name + ": " + e.getMessage(), e);
    }
    for (Slot output : outputs) {
      output.outside().data().copyFrom(output.inside());
    }
  }

  @Override
  public void close() {
    inputs.forEach(slot -> slot.tensor().close());
    outputs.forEach(slot -> slot.tensor().close());
    try {
      session.close();
    } catch (OrtException e) {
      throw new PeerException(name + ": " + e.getMessage(), e);
    }
  }
}
