package io.miniinference.ops.text;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// [LabelEncoder](https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html): values in place
/// of keys, and a default in place of all else. Keys and values are strings, integers or floats.
public final class LabelEncoderRule {
  private static final String DEFAULTS = "default_string=_Unused default_int64=-1 default_float=-0";
  private static final String LISTS =
      " keys_strings keys_int64s keys_floats values_strings values_int64s values_floats ";

  private LabelEncoderRule() {}

  static void addTo(OpTable table) {
    table
        .row(
            "ai.onnx.ml.LabelEncoder",
            1,
            "1",
            "classes_strings default_string=_Unused default_int64=-1",
            LabelEncoderRule::ofClasses)
        .row("ai.onnx.ml.LabelEncoder", 2, "1", DEFAULTS + LISTS, LabelEncoderRule::ofLists)
        .row(
            "ai.onnx.ml.LabelEncoder",
            4,
            "1",
            DEFAULTS + LISTS + "keys_tensor values_tensor default_tensor",
            LabelEncoderRule::ofLists);
  }

  /// Classes by their numbers, or numbers of classes.
  private static Value ofClasses(OpContext c) {
    KnownList classes = KnownList.strings(c, c.attributes().strings("classes_strings"));
    KnownList numbers = KnownList.longs(LongStream.range(0, classes.size()).toArray());
    return c.coded(0).isPresent()
        ? mapped(c, classes, numbers, ofInts(c))
        : mapped(c, numbers, classes, ofStrings(c));
  }

  private static Value ofLists(OpContext c) {
    KnownList values = KnownList.of(c, "values");
    return mapped(c, KnownList.of(c, "keys"), values, fallback(c, values));
  }

  private static KnownList fallback(OpContext c, KnownList values) {
    AttributeProto tensor = c.attributes().message("default_tensor");
    if (tensor != null) {
      return KnownList.tensor(c, tensor);
    }
    if (values.coded().isPresent()) {
      return ofStrings(c);
    }
    ElementType type = values.elements().element();
    double number = type.isFloat() ? c.attrFloat("default_float") : c.attrInt("default_int64");
    return new KnownList(SmallTensors.of(type, new long[] {1}, number), Optional.empty());
  }

  static KnownList ofStrings(OpContext c) {
    return KnownList.strings(c, List.of(c.attrString("default_string")));
  }

  static KnownList ofInts(OpContext c) {
    return KnownList.longs(c.attrInt("default_int64"));
  }

  /// The values of input 0's keys.
  ///
  /// @param fallback one value, for what is no key
  static Value mapped(OpContext c, KnownList keys, KnownList values, KnownList fallback) {
    if (keys.size() != values.size()) {
      throw LoweringFault.of("has %d keys and %d values".formatted(keys.size(), values.size()));
    }
    return c.rows(values.with(fallback).constant(c), Places.of(c, c.in(0), keys));
  }
}
