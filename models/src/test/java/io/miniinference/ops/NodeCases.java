package io.miniinference.ops;

import com.google.protobuf.InvalidProtocolBufferException;
import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.OnnxType;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.onnx.tensor.ValueFile;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.pipeline.Pipeline;
import io.miniinference.signature.Cuts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The operator tests of the ONNX standard, run on the interpreter: each case is imported for its
/// data set's shapes and compared with its outputs, before and after simplification.
final class NodeCases implements AutoCloseable {
  private static final long MAX_BYTES = 1 << 26;

  private static final Pipeline STANDARD =
      Pipeline.standard(NodeCases::evaluated, MAX_BYTES, FusionOptions.all());

  private final ZipFile zip;

  /// A line of the index.
  record Case(String name, Tolerance tolerance, List<String> ops) {}

  NodeCases(Path data) {
    try {
      zip = new ZipFile(data.resolve("onnx-node.zip").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Case> index() {
    String text = new String(bytes("index.tsv"), StandardCharsets.UTF_8);
    return text.lines().skip(1).map(NodeCases::parse).toList();
  }

  private static Case parse(String line) {
    String[] f = line.split("\t", -1);
    var tolerance = new Tolerance(Double.parseDouble(f[1]), Double.parseDouble(f[2]));
    return new Case(f[0], tolerance, List.of(f[4].split(",", -1)));
  }

  private byte[] bytes(String entry) {
    ZipEntry found = zip.getEntry(entry);
    if (found == null) {
      throw new IllegalArgumentException("no entry " + entry);
    }
    try (var in = zip.getInputStream(found)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<List<Tensor>> evaluated(Node node, List<Tensor> inputs) {
    try {
      return Optional.of(Interpreter.results(node, inputs, Long.MAX_VALUE));
    } catch (DataFailure e) {
      return Optional.empty();
    }
  }

  /// What is wrong, or empty if the case passes.
  Optional<String> run(Case test) {
    try {
      OnnxModel model = model(test.name());
      for (int set = 0; zip.getEntry(file(test, set, "output", 0)) != null; set++) {
        Optional<String> wrong = run(test, model, set);
        if (wrong.isPresent()) {
          return wrong;
        }
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  ModelProto proto(String name) {
    try {
      return ModelProto.parseFrom(bytes(name + "/model.onnx"));
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  OnnxModel model(String name) {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(name + "/model.onnx"));
    return OnnxReader.read(name, bytes, null, ReadLimits.defaults());
  }

  private static String file(Case test, int set, String kind, int i) {
    return "%s/test_data_set_%d/%s_%d.pb".formatted(test.name(), set, kind, i);
  }

  private Optional<String> run(Case test, OnnxModel model, int set) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    Set<String> initialized = new HashSet<>();
    model.graph().getInitializerList().forEach(t -> initialized.add(t.getName()));
    for (int i = 0; i < model.graph().getInputCount(); i++) {
      ValueInfoProto input = model.graph().getInput(i);
      if (!initialized.contains(input.getName())) {
        inputs.put(input.getName(), read(file(test, set, "input", i), input));
      }
    }
    Map<String, long[]> shapes = new HashMap<>();
    inputs.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
    ImportOptions options =
        ImportOptions.defaults().withInputShapes(shapes).withInputValues(inputs);
    Importer.Imported imported = Importer.importWithValues(model, options);
    Graph graph = GraphCheck.check(imported.graph());
    return difference(test, model, set, graph, imported.cuts(), inputs.values())
        .or(() ->
            difference(test, model, set, STANDARD.apply(graph), imported.cuts(), inputs.values())
                .map(wrong -> "after simplification: " + wrong));
  }

  private Optional<String> difference(
      Case test, OnnxModel model, int set, Graph graph, Cuts cuts, Collection<Tensor> inputs) {
    List<Tensor> outputs = cuts.cut(Interpreter.run(graph, List.copyOf(inputs)));
    for (int i = 0; i < outputs.size(); i++) {
      Tensor expected = read(file(test, set, "output", i), model.graph().getOutput(i));
      Optional<String> wrong = test.tolerance().difference(outputs.get(i), expected);
      if (wrong.isPresent()) {
        return Optional.of("output " + i + ": " + wrong.get());
      }
    }
    return Optional.empty();
  }

  /// A value of the first data set of a case.
  ///
  /// @param kind `input` or `output`
  OnnxValue value(Case test, String kind, int i, ValueInfoProto declared) {
    return value(file(test, 0, kind, i), declared);
  }

  private OnnxValue value(String file, ValueInfoProto declared) {
    return ValueFile.read(file, ByteBuffer.wrap(bytes(file)), declared.getType(), MAX_BYTES);
  }

  private Tensor read(String file, ValueInfoProto declared) {
    if (!(value(file, declared) instanceof OnnxTensor tensor)) {
      throw new IllegalArgumentException("type " + declared.getType().getValueCase());
    }
    return tensor(tensor);
  }

  static Tensor tensor(OnnxTensor tensor) {
    OnnxType type = tensor.type();
    ElementType element =
        type.element()
            .or(() -> CodedType.ofOnnx(type.number()).map(CodedType::element))
            .filter(_ -> type != OnnxType.STRING)
            .orElseThrow(() -> new IllegalArgumentException("type " + type));
    return new Tensor(element, tensor.dims(), tensor.unpacked());
  }

  @Override
  public void close() {
    try {
      zip.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
