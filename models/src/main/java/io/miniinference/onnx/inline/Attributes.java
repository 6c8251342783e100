package io.miniinference.onnx.inline;

import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import org.jspecify.annotations.Nullable;

/// Attribute messages: references replaced, missing types filled in.
final class Attributes {
  private Attributes() {}

  /// The attribute's value under its own name and with its type; null if it refers to an attribute
  /// that the call leaves out.
  static Frame.@Nullable Argument resolve(AttributeProto attribute, Frame frame) {
    if (attribute.getRefAttrName().isEmpty() || frame.function() == null) {
      return new Frame.Argument(typed(attribute), frame);
    }
    Frame.Argument given = frame.argument(attribute.getRefAttrName());
    if (given == null) {
      return null;
    }
    var value = typed(given.attribute()).toBuilder().setName(attribute.getName()).build();
    return new Frame.Argument(value, given.frame());
  }

  /// What is wrong with an attribute and the value it was resolved to, or "".
  static String fault(AttributeProto attribute, AttributeProto value, Frame frame) {
    String name = Quote.of(attribute.getName());
    String reference = attribute.getRefAttrName();
    if (!reference.isEmpty() && frame.function() == null) {
      return "attribute %s refers to %s, but only functions have attributes"
          .formatted(name, Quote.of(reference));
    }
    AttributeType declared = attribute.getType();
    if (declared != AttributeType.UNDEFINED && declared != value.getType()) {
      return "attribute %s is declared %s, the call gives %s"
          .formatted(name, declared, value.getType());
    }
    return switch (value.getType()) {
      case UNDEFINED -> "attribute %s has neither type nor value".formatted(name);
      case GRAPHS -> "attribute %s is a list of graphs, which no operator takes".formatted(name);
      default -> "";
    };
  }

  /// The attribute with its type: writers of early files left it out.
  private static AttributeProto typed(AttributeProto attribute) {
    return attribute.getType() == AttributeType.UNDEFINED
        ? attribute.toBuilder().setType(inferred(attribute)).build()
        : attribute;
  }

  private static AttributeType inferred(AttributeProto attribute) {
    if (attribute.hasF()) {
      return AttributeType.FLOAT;
    } else if (attribute.hasI()) {
      return AttributeType.INT;
    } else if (attribute.hasS()) {
      return AttributeType.STRING;
    } else if (attribute.hasT()) {
      return AttributeType.TENSOR;
    } else if (attribute.hasG()) {
      return AttributeType.GRAPH;
    }
    return inferredList(attribute);
  }

  private static AttributeType inferredList(AttributeProto attribute) {
    if (attribute.getFloatsCount() > 0) {
      return AttributeType.FLOATS;
    } else if (attribute.getIntsCount() > 0) {
      return AttributeType.INTS;
    } else if (attribute.getStringsCount() > 0) {
      return AttributeType.STRINGS;
    } else if (attribute.getTensorsCount() > 0) {
      return AttributeType.TENSORS;
    }
    return AttributeType.UNDEFINED;
  }
}
