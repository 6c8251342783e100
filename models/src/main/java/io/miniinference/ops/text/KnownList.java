package io.miniinference.ops.text;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ConstantReader;
import io.miniinference.ops.node.OpContext;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// Elements that a node's attribute lists: strings as codes, or numbers.
///
/// @param elements `[n]`
/// @param coded what they are codes of; empty for numbers
public record KnownList(Tensor elements, Optional<CodedType> coded) {

  /// Strings of the file, which get codes.
  public static KnownList strings(OpContext c, List<String> strings) {
    return new KnownList(
        c.constants().strings(strings, strings.size()), Optional.of(CodedType.STRING));
  }

  /// Whole numbers, `I64`.
  public static KnownList longs(long... values) {
    return new KnownList(
        SmallTensors.of(ElementType.I64, new long[] {values.length}, values), Optional.empty());
  }

  static KnownList floats(List<Float> values) {
    double[] reals = values.stream().mapToDouble(Float::doubleValue).toArray();
    return new KnownList(
        SmallTensors.of(ElementType.F32, new long[] {reals.length}, reals), Optional.empty());
  }

  /// The elements of an attribute that is a tensor.
  static KnownList tensor(OpContext c, AttributeProto attribute) {
    Tensor tensor = c.constants().read(attribute.getT());
    return new KnownList(
        new Tensor(tensor.element(), new long[] {tensor.elements()}, tensor.data()),
        ConstantReader.coded(attribute.getT()));
  }

  /// The list of the first attribute that the node gives: `NAME_strings`, `NAME_int64s`,
  /// `NAME_floats` or `NAME_tensor`.
  ///
  /// @throws LoweringFault if it gives none
  static KnownList of(OpContext c, String name) {
    if (c.hasAttr(name + "_strings")) {
      return strings(c, c.attributes().strings(name + "_strings"));
    }
    if (c.hasAttr(name + "_int64s")) {
      return longs(c.attrInts(name + "_int64s"));
    }
    if (c.hasAttr(name + "_floats")) {
      return floats(c.attributes().reals(name + "_floats"));
    }
    AttributeProto tensor = c.attributes().message(name + "_tensor");
    if (tensor != null) {
      return tensor(c, tensor);
    }
    throw LoweringFault.of("has no attribute '%s_…'".formatted(name));
  }

  /// How many they are.
  public int size() {
    return Math.toIntExact(elements.elements());
  }

  /// These elements, and one more behind them.
  KnownList with(KnownList last) {
    if (last.elements.element() != elements.element()
        || !last.coded.equals(coded)
        || last.size() != 1) {
      throw LoweringFault.of(
          "has a default of %s for values of %s".formatted(last.elements, elements));
    }
    long bytes = elements.data().byteSize();
    var data = MemorySegment.ofArray(new byte[Math.toIntExact(bytes + elements.element().bytes())]);
    data.asSlice(0, bytes).copyFrom(elements.data());
    data.asSlice(bytes).copyFrom(last.elements.data());
    return new KnownList(new Tensor(elements.element(), new long[] {size() + 1L}, data), coded);
  }

  /// The elements as a constant.
  public Value constant(OpContext c) {
    return coded.map(type -> c.constant(elements, type)).orElseGet(() -> c.constant(elements));
  }
}
