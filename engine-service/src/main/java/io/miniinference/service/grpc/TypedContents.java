package io.miniinference.service.grpc;

import com.google.protobuf.ByteString;
import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.serving.TensorContent;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/// The elements of an input in the field of their type.
final class TypedContents {
  private TypedContents() {}

  /// Checks that there are as many as the shape holds, that they are in the right field, and that
  /// the type holds each.
  ///
  /// @param strings those of the request
  static TensorContent of(
      InferInputTensor input, TensorSpec spec, long elements, Supplier<StringTable> strings) {
    InferTensorContents contents = input.getContents();
    ElementType element = spec.element();
    Column column = spec.isOfStrings() ? strings(input, strings.get()) : column(input, element);
    long all =
        (long) contents.getBoolContentsCount()
            + contents.getIntContentsCount()
            + contents.getInt64ContentsCount()
            + contents.getUintContentsCount()
            + contents.getUint64ContentsCount()
            + contents.getFp32ContentsCount()
            + contents.getFp64ContentsCount()
            + contents.getBytesContentsCount();
    if (column.count != elements || all != elements) {
      throw new InvalidRequestException(
          "input '%s' has %d elements in contents, %d of them in %s; its shape %s holds %d"
              .formatted(
                  input.getName(),
                  all,
                  column.count,
                  column.field,
                  input.getShapeList(),
                  elements));
    }
    checkRange(input.getName(), element, column);
    return staging -> write(column, element, staging);
  }

  /// A field and the bits of its elements, doubles for floats.
  private record Column(String field, int count, IntToLongFunction bits) {}

  /* Their codes. */
  private static Column strings(InferInputTensor input, StringTable table) {
    List<ByteString> strings = input.getContents().getBytesContentsList();
    int[] codes = strings.stream().mapToInt(it -> table.code(it.toByteArray())).toArray();
    return new Column("bytes_contents", codes.length, i -> codes[i]);
  }

  private static Column column(InferInputTensor input, ElementType element) {
    InferTensorContents contents = input.getContents();
    return switch (element) {
      case BOOL -> {
        List<Boolean> values = contents.getBoolContentsList();
        yield new Column("bool_contents", values.size(), i -> values.get(i) ? 1 : 0);
      }
      case I8, I16, I32 ->
          new Column("int_contents", contents.getIntContentsCount(), contents::getIntContents);
      case I64 ->
          new Column(
              "int64_contents", contents.getInt64ContentsCount(), contents::getInt64Contents);
      case U8, U16, U32 ->
          new Column(
              "uint_contents",
              contents.getUintContentsCount(),
              i -> contents.getUintContents(i) & 0xFFFF_FFFFL);
      case U64 ->
          new Column(
              "uint64_contents", contents.getUint64ContentsCount(), contents::getUint64Contents);
      case F32 ->
          new Column(
              "fp32_contents",
              contents.getFp32ContentsCount(),
              i -> Float.floatToRawIntBits(contents.getFp32Contents(i)));
      case F64 ->
          new Column(
              "fp64_contents",
              contents.getFp64ContentsCount(),
              i -> Double.doubleToRawLongBits(contents.getFp64Contents(i)));
      case F16, BF16 ->
          throw new InvalidRequestException(
              "input '%s' is %s, which has no field in contents: send raw_input_contents"
                  .formatted(input.getName(), element.v2Name()));
    };
  }

  private static void checkRange(String input, ElementType element, Column column) {
    int bits = element.bytes() * 8;
    if (!element.isInteger() || bits >= 32) {
      return;
    }
    boolean signed = element.kind() == ElementType.Kind.SIGNED;
    long low = signed ? -1L << (bits - 1) : 0;
    long high = signed ? ~low : (1L << bits) - 1;
    for (int i = 0; i < column.count; i++) {
      long value = column.bits.applyAsLong(i);
      if (value < low || value > high) {
        throw new InvalidRequestException(
            "input '%s' (%s) at position %d: %d is outside the range of %s"
                .formatted(input, element.v2Name(), i, value, element.v2Name()));
      }
    }
  }

  private static void write(Column column, ElementType element, MemorySegment staging) {
    for (int i = 0; i < column.count; i++) {
      RawElements.write(staging, element, i, column.bits.applyAsLong(i));
    }
  }
}
