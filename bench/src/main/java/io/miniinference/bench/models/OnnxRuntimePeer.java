package io.miniinference.bench.models;

import module com.microsoft.onnxruntime;
import module io.miniinference.kernels;
import module java.base;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;

/// ONNX Runtime on the CPU through its Java API, set up as its documentation advises for speed: all
/// optimisations, memory patterns, threads that spin between operators.
final class OnnxRuntimePeer implements Peer {
  private final OrtEnvironment environment;
  private final int threads;

  /// @throws BenchException if its native library cannot be loaded
  OnnxRuntimePeer(int threads) {
    this.threads = threads;
    try {
      environment = OrtEnvironment.getEnvironment();
    } catch (LinkageError | IllegalStateException e) {
      throw new BenchException("ONNX Runtime cannot be loaded: " + e, e);
    }
  }

  @Override
  public String name() {
    return "ONNX Runtime " + environment.getVersion();
  }

  @Override
  public Session prepare(Path model, Feed feed, List<Tensor> outputs) {
    return prepare(model, feed, outputs, Optional.empty());
  }

  /// @param profile beginning of the name of a file that is to tell of each node
  Session prepare(Path model, Feed feed, List<Tensor> outputs, Optional<Path> profile) {
    try (var options = new SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(SessionOptions.OptLevel.ALL_OPT);
      if (profile.isPresent()) {
        options.enableProfiling(profile.get().toString());
      }
      return new Session(environment.createSession(model.toString(), options), feed, outputs);
    } catch (OrtException e) {
      throw failed(e);
    }
  }

  private BenchException failed(OrtException e) {
    return new BenchException(name() + ": " + e.getMessage(), e);
  }

  /// A session with its inputs and outputs in memory that was allocated once: a run copies the
  /// inputs in and the outputs out, as the engine does, and allocates no tensor.
  final class Session implements Runs {
    private final OrtSession session;
    private final Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
    private final Map<String, OnnxTensor> outputs = new LinkedHashMap<>();
    private final List<Copied> copiedIn = new ArrayList<>();
    private final List<Copied> copiedOut = new ArrayList<>();
    private final List<Tensor> answers;

    /// The same content as the session and as its caller have it.
    private record Copied(MemorySegment inside, MemorySegment outside) {}

    /// @param like tensors of the outputs' types and shapes
    private Session(OrtSession session, Feed feed, List<Tensor> like) throws OrtException {
      this.session = session;
      requireNoStrings(session.getInputInfo().values());
      requireNoStrings(session.getOutputInfo().values());
      for (Feed.Input input : feed.inputs()) {
        inputs.put(input.name(), slot(input.tensor(), copiedIn));
      }
      answers =
          like.stream().map(each -> Interpreter.allocate(each.element(), each.shape())).toList();
      for (String output : session.getOutputNames()) {
        outputs.put(output, slot(answers.get(outputs.size()), copiedOut));
      }
    }

    /* Which the engine has as codes. */
    private static void requireNoStrings(Collection<NodeInfo> nodes) {
      for (NodeInfo node : nodes) {
        if (node.getInfo() instanceof TensorInfo tensor && tensor.type == OnnxJavaType.STRING) {
          throw new BenchException("strings are not handed to it, as in '" + node.getName() + "'");
        }
      }
    }

    /* A tensor of the session's over memory that Java sees. */
    private OnnxTensor slot(Tensor tensor, List<Copied> copied) throws OrtException {
      int bytes = Math.toIntExact(tensor.data().byteSize());
      ByteBuffer inside = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
      copied.add(new Copied(MemorySegment.ofBuffer(inside), tensor.data()));
      return OnnxTensor.createTensor(environment, inside, tensor.shape(), type(tensor));
    }

    private static OnnxJavaType type(Tensor tensor) {
      return switch (tensor.element()) {
        case F32 -> OnnxJavaType.FLOAT;
        case F64 -> OnnxJavaType.DOUBLE;
        case I32 -> OnnxJavaType.INT32;
        case I64 -> OnnxJavaType.INT64;
        case BOOL -> OnnxJavaType.BOOL;
        case F16, BF16, I8, I16, U8, U16, U32, U64 ->
            throw new BenchException(
                "a tensor of type " + tensor + " is not handed to ONNX Runtime");
      };
    }

    @Override
    public List<Tensor> outputs() {
      run();
      return answers;
    }

    @Override
    public List<Entrant> entrants(Memory memory) {
      return memory == Memory.ORDINARY ? List.of(Entrant.of(name(), this::run)) : List.of();
    }

    private void run() {
      copiedIn.forEach(each -> each.inside.copyFrom(each.outside));
      try {
        session.run(inputs, outputs).close();
      } catch (OrtException e) {
        throw failed(e);
      }
      copiedOut.forEach(each -> each.outside.copyFrom(each.inside));
    }

    /// Ends the profile that the session was opened with.
    Path endProfile() {
      try {
        return Path.of(session.endProfiling());
      } catch (OrtException e) {
        throw failed(e);
      }
    }

    @Override
    public void close() {
      inputs.values().forEach(OnnxTensor::close);
      outputs.values().forEach(OnnxTensor::close);
      try {
        session.close();
      } catch (OrtException e) {
        throw failed(e);
      }
    }
  }
}
