package io.miniinference.ops.node;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.ops.draft.LoweringFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A node's attributes, with the defaults of its row.
public final class Attributes {
  private final Map<String, AttributeProto> given;
  private final Map<String, String> defaults;

  Attributes(OnnxNode node, OpRow row) {
    this.given = node.attributes();
    this.defaults = row.attributes();
  }

  /// Complaints about attributes that the operator does not have.
  public static List<String> unknown(OnnxNode node, OpRow row) {
    var complaints = new ArrayList<String>();
    var names = new ArrayList<>(node.attributes().keySet());
    names.addAll(node.bodies().keySet());
    for (String name : names) {
      if (!row.attributes().containsKey(name) && !isHint(node, name)) {
        complaints.add(
            "has attribute %s, which %s does not have since opset %d; it has %s"
                .formatted(
                    Quote.of(name),
                    row.name(),
                    row.since(),
                    row.attributes().isEmpty() ? "none" : row.attributes().keySet()));
      }
    }
    return complaints;
  }

  /* Before opset 6, which inputs a node may write over: what the planner finds out by itself. */
  private static boolean isHint(OnnxNode node, String attribute) {
    return node.domain().isEmpty() && node.opset() < 6 && attribute.equals("consumed_inputs");
  }

  /// The names of the attributes that the node gives.
  public Set<String> names() {
    return given.keySet();
  }

  boolean has(String name) {
    return given.containsKey(name);
  }

  long integer(String name) {
    AttributeProto attribute = find(name, AttributeType.INT);
    return attribute == null ? Long.parseLong(fallback(name)) : attribute.getI();
  }

  float real(String name) {
    AttributeProto attribute = find(name, AttributeType.FLOAT);
    return attribute == null ? Float.parseFloat(fallback(name)) : attribute.getF();
  }

  String string(String name) {
    AttributeProto attribute = find(name, AttributeType.STRING);
    return attribute == null ? fallback(name) : attribute.getS().toStringUtf8();
  }

  /// The list, or an empty one.
  long[] integers(String name) {
    AttributeProto attribute = find(name, AttributeType.INTS);
    return attribute == null
        ? new long[0]
        : attribute.getIntsList().stream().mapToLong(Long::longValue).toArray();
  }

  /// The list, or an empty one.
  public List<Float> reals(String name) {
    AttributeProto attribute = find(name, AttributeType.FLOATS);
    return attribute == null ? List.of() : attribute.getFloatsList();
  }

  /// The list, or an empty one.
  public List<String> strings(String name) {
    AttributeProto attribute = find(name, AttributeType.STRINGS);
    return attribute == null
        ? List.of()
        : attribute.getStringsList().stream().map(ByteString::toStringUtf8).toList();
  }

  public @Nullable AttributeProto message(String name) {
    return given.get(name);
  }

  private String fallback(String name) {
    String value = defaults.get(name);
    if (value == null || value.isEmpty()) {
      throw LoweringFault.of("needs attribute " + Quote.of(name));
    }
    return value;
  }

  private @Nullable AttributeProto find(String name, AttributeType type) {
    AttributeProto attribute = given.get(name);
    if (attribute != null && attribute.getType() != type) {
      throw LoweringFault.of(
          "has attribute %s of type %s; it is of type %s"
              .formatted(Quote.of(name), attribute.getType(), type));
    }
    return attribute;
  }
}
