package io.miniinference.onnx;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.FunctionProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.StringStringEntryProto;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The first stage: bytes to ONNX messages, with the file's header checked.
///
/// Any input is answered by a model or by one [ModelException] that has all that was found.
public final class OnnxReader {
  /// Newest format that this reader was written for; newer ones are read with a warning.
  public static final long KNOWN_IR_VERSION = 14;

  /// First format with operator set versions.
  private static final long OLDEST_IR_VERSION = 3;

  private final Problems problems;
  private final List<String> warnings = new ArrayList<>();

  private OnnxReader(String name) {
    problems = new Problems(name);
  }

  /// Reads a file; its name stands in messages, its folder is where external data are looked for.
  public static OnnxModel read(Path file, ReadLimits limits) {
    Path fileName = file.getFileName();
    return read(fileName == null ? file.toString() : fileName.toString(), file, limits);
  }

  /// Reads a file under a name of the caller's.
  public static OnnxModel read(String name, Path file, ReadLimits limits) {
    ByteBuffer bytes = WireBytes.file(name, file, limits.modelBytes());
    return read(name, bytes, file.toAbsolutePath().getParent(), limits);
  }

  /// Reads a model in memory. The model keeps the bytes, which must not change afterwards.
  ///
  /// @param folder where external data lie, or null if there can be none
  public static OnnxModel read(
      String name, ByteBuffer bytes, @Nullable Path folder, ReadLimits limits) {
    ModelProto proto = WireBytes.message(name, ModelProto.parser(), bytes, limits.modelBytes());
    return new OnnxReader(name).model(proto, bytes, folder);
  }

  private OnnxModel model(ModelProto proto, ByteBuffer bytes, @Nullable Path folder) {
    Map<String, Long> opsets = opsets("", proto.getOpsetImportList());
    problems.opset(opsets.getOrDefault("", 0L));
    checkHeader(proto, bytes);
    List<OnnxFunction> functions = functions(proto.getFunctionsList(), opsets);
    problems.throwIfAny();
    return new OnnxModel(
        problems.subject(),
        folder,
        proto.getIrVersion(),
        opsets,
        (proto.getProducerName() + " " + proto.getProducerVersion()).strip(),
        NodeOrder.of(proto.getGraph()),
        functions,
        metadata(proto.getMetadataPropsList()),
        warnings);
  }

  /// Notes what is wrong with the header.
  private void checkHeader(ModelProto proto, ByteBuffer bytes) {
    if (!proto.hasGraph() && !proto.hasIrVersion()) {
      String other = OtherFormat.of(bytes);
      problems.add(Problem.of(other.isEmpty() ? "is not an ONNX model" : other));
      return;
    }
    checkIrVersion(proto);
    if (!proto.hasGraph()) {
      problems.add(Problem.of("has no graph: the file is truncated, or holds only functions"));
    } else if (proto.getOpsetImportCount() == 0) {
      problems.add(Problem.of("imports no operator set; save it with opset_import filled in"));
    }
  }

  private void checkIrVersion(ModelProto proto) {
    long version = proto.getIrVersion();
    if (version < OLDEST_IR_VERSION) {
      problems.add(
          Problem.of(
              "is of IR version %d, older than %d: export it again with a current exporter"
                  .formatted(version, OLDEST_IR_VERSION)));
    } else if (version > KNOWN_IR_VERSION) {
      warnings.add(
          "IR version %d is newer than %d, the newest known: unknown fields are ignored"
              .formatted(version, KNOWN_IR_VERSION));
    }
  }

  private Map<String, Long> opsets(String where, List<OperatorSetIdProto> imports) {
    var versions = new LinkedHashMap<String, Long>();
    for (OperatorSetIdProto entry : imports) {
      String domain = Domains.canonical(entry.getDomain());
      Long earlier = versions.put(domain, entry.getVersion());
      if (entry.getVersion() < 1) {
        problems.add(
            where,
            "imports version %d of domain %s; versions start at 1"
                .formatted(entry.getVersion(), Domains.shown(domain)));
      }
      if (earlier != null && earlier != entry.getVersion()) {
        problems.add(
            where,
            "imports domain %s as version %d and as version %d; keep one"
                .formatted(Domains.shown(domain), earlier, entry.getVersion()));
      }
    }
    return versions;
  }

  private List<OnnxFunction> functions(List<FunctionProto> protos, Map<String, Long> opsets) {
    var functions = new LinkedHashMap<OnnxFunction.Key, OnnxFunction>();
    for (FunctionProto proto : protos) {
      OnnxFunction function = function(proto, opsets);
      if (functions.put(function.key(), function) != null) {
        problems.add("function " + function.key(), "is defined twice");
      }
    }
    return List.copyOf(functions.values());
  }

  private OnnxFunction function(FunctionProto proto, Map<String, Long> modelOpsets) {
    var key =
        new OnnxFunction.Key(
            Domains.canonical(proto.getDomain()), proto.getName(), proto.getOverload());
    String where = "function " + key;
    var opsets = new LinkedHashMap<>(modelOpsets);
    opsets.putAll(opsets(where, proto.getOpsetImportList()));
    checkParameters(where, proto);
    return new OnnxFunction(
        key,
        proto.getInputList(),
        proto.getOutputList(),
        new LinkedHashSet<>(proto.getAttributeList()),
        defaults(where, proto),
        NodeOrder.of(proto.getNodeList()),
        opsets);
  }

  private void checkParameters(String where, FunctionProto proto) {
    checkDistinct(where, "input", proto.getInputList());
    checkDistinct(where, "output", proto.getOutputList());
    checkDistinct(where, "attribute", proto.getAttributeList());
    if (proto.getName().isEmpty()) {
      problems.add(where, "has no name");
    }
    Set<String> inputs = new HashSet<>(proto.getInputList());
    for (NodeProto node : proto.getNodeList()) {
      node.getOutputList().stream()
          .filter(inputs::contains)
          .forEach(name -> problems.add(where, "computes its own input " + Quote.of(name)));
    }
  }

  private void checkDistinct(String where, String kind, List<String> names) {
    Set<String> seen = new LinkedHashSet<>();
    for (String name : names) {
      if (!seen.add(name) || name.isEmpty()) {
        problems.add(where, "%s %s is empty or declared twice".formatted(kind, Quote.of(name)));
      }
    }
  }

  private Map<String, AttributeProto> defaults(String where, FunctionProto proto) {
    var defaults = new LinkedHashMap<String, AttributeProto>();
    Set<String> others = new HashSet<>(proto.getAttributeList());
    for (AttributeProto attribute : proto.getAttributeProtoList()) {
      String name = attribute.getName();
      boolean again = defaults.put(name, attribute) != null;
      if (again || others.contains(name)) {
        problems.add(where, "attribute %s is declared twice".formatted(Quote.of(name)));
      }
    }
    return defaults;
  }

  private static Map<String, String> metadata(List<StringStringEntryProto> entries) {
    var map = new LinkedHashMap<String, String>();
    entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return map;
  }
}
