package io.miniinference.opensizes;

import io.miniinference.ir.ElementType;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipFile;

/// A network whose dimensions are open, and requests to it.
///
/// @param source gives the model of that name
/// @param most largest size by symbol
/// @param step by symbol what its sizes are multiples of
record OpenNetwork(
    Source source, String name, Map<String, Integer> most, Map<String, Integer> step) {
  /// Where a model comes from.
  interface Source {
    OnnxModel read(String name);
  }

  static final OpenNetwork ENCODER =
      new OpenNetwork(
          OpenNetwork::ofData, "encoder_open", Map.of("batch", 4, "sequence", 192), Map.of());
  static final OpenNetwork RUNNING_SUM =
      new OpenNetwork(
          OpenNetwork::ofData, "rows_cumsum", Map.of("batch", 4, "sequence", 64), Map.of());
  static final OpenNetwork IMAGES =
      new OpenNetwork(
          OpenNetwork::ofData,
          "fcn_open",
          Map.of("batch", 2, "height", 128, "width", 128),
          Map.of("height", 4, "width", 4));
  static final OpenNetwork BERT =
      new OpenNetwork(
          OpenNetwork::opened, "bert_tiny", Map.of("batch", 4, "sequence", 128), Map.of());
  static final OpenNetwork DECODER =
      new OpenNetwork(
          MadeNetworks::decoder,
          "decoder",
          Map.of("batch", 3, "past", 100, "sequence", 40),
          Map.of());
  static final OpenNetwork SEGMENTER =
      new OpenNetwork(
          MadeNetworks::segmenter,
          "segmenter",
          Map.of("batch", 2, "height", 96, "width", 96),
          Map.of("height", 4, "width", 4));
  static final OpenNetwork SOUND =
      new OpenNetwork(
          MadeNetworks::sound, "sound", Map.of("batch", 3, "time", 3000), Map.of("time", 8));

  static final OpenNetwork SPECTROGRAM =
      new OpenNetwork(
          MadeNetworks::spectrogram,
          "spectrogram",
          Map.of("batch", 3, "time", 3000),
          Map.of("time", 50));

  static final OpenNetwork SEQUENCE =
      new OpenNetwork(MadeNetworks::sequence, "sequence", Map.of("batch", 9, "time", 30), Map.of());

  static final OpenNetwork LINES =
      new OpenNetwork(
          MadeNetworks::lines,
          "lines",
          Map.of("batch", 3, "height", 40, "width", 400),
          Map.of("width", 4));
  static final OpenNetwork LEADERS =
      new OpenNetwork(
          MadeNetworks::leaders, "leaders", Map.of("batch", 9, "width", 3000), Map.of("width", 4));

  OnnxModel read() {
    return source.read(name);
  }

  private static OnnxModel ofData(String name) {
    return OnnxReader.read(
        name, ByteBuffer.wrap(bytes("open.zip", name)), null, ReadLimits.defaults());
  }

  /* A network of fixed length, with its last dimension open. */
  private static OnnxModel opened(String name) {
    try {
      ModelProto.Builder model = ModelProto.parseFrom(bytes("topology.zip", name)).toBuilder();
      model.getGraphBuilder().getInputBuilderList().forEach(OpenNetwork::open);
      ByteBuffer bytes = ByteBuffer.wrap(model.build().toByteArray());
      return OnnxReader.read(name, bytes, null, ReadLimits.defaults());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void open(ValueInfoProto.Builder input) {
    TensorShapeProto.Builder shape =
        input.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
    shape.getDimBuilder(0).setDimParam("batch");
    shape.getDimBuilder(1).setDimParam("sequence");
  }

  private static byte[] bytes(String archive, String name) {
    Path data = Path.of(System.getProperty("mie.data", "../shared/data"));
    try (ZipFile zip = new ZipFile(data.resolve(archive).toFile());
        var in = zip.getInputStream(zip.getEntry(name + "/model.onnx"))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The smallest sizes by symbol.
  Map<String, Long> smallest() {
    Map<String, Long> sizes = new TreeMap<>();
    most.keySet().forEach(symbol -> sizes.put(symbol, (long) step.getOrDefault(symbol, 1)));
    return sizes;
  }

  /// The smallest sizes by symbol but of the last one, which is the next.
  Map<String, Long> nextToSmallest() {
    TreeMap<String, Long> sizes = new TreeMap<>(smallest());
    sizes.put(sizes.lastKey(), 2 * sizes.lastEntry().getValue());
    return sizes;
  }

  /// Sizes by symbol in the middle of what they may be.
  Map<String, Long> middle() {
    Map<String, Long> sizes = new TreeMap<>();
    most.forEach((symbol, largest) -> {
      int unit = step.getOrDefault(symbol, 1);
      sizes.put(symbol, (long) unit * Math.max(1, largest / unit / 2));
    });
    return sizes;
  }

  /// Sizes by symbol; every fourth time some of them are the smallest.
  Map<String, Long> sizes(Random random) {
    Map<String, Long> sizes = new TreeMap<>();
    most.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(it -> {
          int unit = step.getOrDefault(it.getKey(), 1);
          int most = random.nextInt(4) == 0 ? 2 : it.getValue() / unit;
          sizes.put(it.getKey(), (long) unit * random.nextInt(1, most + 1));
        });
    return sizes;
  }

  /// The answer of a model in those sizes to inputs that follow from them.
  List<float[]> ask(Model model, Map<String, Long> sizes) {
    List<TensorSpec> inputs = model.inputs();
    List<long[]> shapes = inputs.stream().map(input -> shape(input, sizes)).toList();
    InferenceRequest request =
        new InferenceRequest(shapes, (input, staging) -> fill(inputs.get(input), staging, sizes));
    return model.infer(
        request,
        outputs -> outputs.stream().map(it -> it.data().toArray(ValueLayout.JAVA_FLOAT)).toList());
  }

  private static long[] shape(TensorSpec input, Map<String, Long> sizes) {
    return input.dims().stream().mapToLong(dim -> size(dim, sizes)).toArray();
  }

  private static long size(Dimension dim, Map<String, Long> sizes) {
    return switch (dim) {
      case Dimension.Fixed fixed -> fixed.size();
      case Dimension.Batch batch -> batch.factor() * sizes.get("batch");
      case Dimension.Open open -> sizes.get(open.symbol());
      case Dimension.Rest _ -> throw new IllegalArgumentException("no shape is declared");
    };
  }

  private static void fill(TensorSpec input, MemorySegment staging, Map<String, Long> sizes) {
    Random random = new Random(sizes.hashCode());
    int elements = (int) (staging.byteSize() / input.element().bytes());
    for (int i = 0; i < elements; i++) {
      if (input.element() == ElementType.I64) {
        staging.setAtIndex(ValueLayout.JAVA_LONG, i, whole(input, random));
      } else {
        staging.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextFloat(-1, 1));
      }
    }
  }

  private static long whole(TensorSpec input, Random random) {
    return switch (input.name()) {
      case "attention_mask" -> random.nextInt(8) == 0 ? 0 : 1;
      case "token_type_ids" -> random.nextInt(2);
      case "input1" -> 1;
      default -> random.nextInt(1, 30);
    };
  }
}
