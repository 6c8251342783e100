package io.miniinference.ops.small;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Codes of small types as numbers, and numbers as codes of them.
///
/// Codes of floats are looked up in a table of 256 numbers, so that a request may bring any byte.
public final class SmallTypes {
  private static final int CODES = 256;

  private SmallTypes() {}

  /// How numbers out of range and between two others become codes.
  ///
  /// @param saturates whether floats of 8 bits take the nearest number for what is out of range
  /// @param mode of powers of two: `up`, `down` or `nearest`
  public record Rounding(boolean saturates, String mode) {
    public static final Rounding USUAL = new Rounding(true, "up");
  }

  /// Whether a type is one of those here.
  public static boolean contains(CodedType type) {
    return type != CodedType.STRING;
  }

  /// Whether codes of a type are the numbers themselves.
  public static boolean isInteger(CodedType type) {
    return switch (type) {
      case UINT4, INT4, UINT2, INT2 -> true;
      case STRING, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ -> false;
      case FLOAT4E2M1, FLOAT8E8M0 -> false;
    };
  }

  /// Whether codes of a type are all numbers of 8 bits.
  public static boolean isByte(CodedType type) {
    return contains(type) && width(type) == Byte.SIZE;
  }

  /// Bits of an element.
  private static int width(CodedType type) {
    return switch (type) {
      case UINT4, INT4, FLOAT4E2M1 -> 4;
      case UINT2, INT2 -> 2;
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0 -> 8;
      case STRING -> throw none(type);
    };
  }

  /// The least number of an integer type.
  public static long lowest(CodedType type) {
    return isSigned(type) ? -(1L << (width(type) - 1)) : 0;
  }

  /// The greatest number of an integer type.
  public static long highest(CodedType type) {
    return (1L << (isSigned(type) ? width(type) - 1 : width(type))) - 1;
  }

  private static boolean isSigned(CodedType type) {
    return type.element().kind() == ElementType.Kind.SIGNED;
  }

  /// The numbers of codes: integers of 8 bits, or `F32`.
  public static Value numbers(Emitter c, Value codes, CodedType type) {
    Value own = c.numbers(codes);
    if (isInteger(type)) {
      return own;
    }
    SmallFormat format = format(type, Rounding.USUAL);
    double[] values = IntStream.range(0, CODES).mapToDouble(format::value).toArray();
    Value table = c.constant(SmallTensors.of(ElementType.F32, new long[] {CODES}, values));
    Expr number = at(1, List.of(cast(ElementType.I64, arg(0))));
    return c.compute(number, own.type().shape(), own, table);
  }

  /// The codes of numbers of any plain type. Integers drop their higher bits, floats go to the
  /// nearest number, integers of floats towards zero.
  public static Value codes(Emitter c, Value numbers, CodedType type, Rounding rounding) {
    ElementType from = numbers.type().element();
    Expr code = isInteger(type) ? wrapped(from, type) : code(from, type, rounding);
    return c.codes(c.map(cast(type.element(), code), numbers), type);
  }

  private static Expr wrapped(ElementType from, CodedType type) {
    Whole whole = new Whole(ElementType.I32);
    Expr number = Ex.as(from, ElementType.I32, Ex.x());
    int unused = Integer.SIZE - width(type);
    return isSigned(type)
        ? whole.right(whole.left(number, unused), unused)
        : whole.and(number, highest(type));
  }

  private static Expr code(ElementType from, CodedType type, Rounding rounding) {
    ElementType real = from == ElementType.F64 ? from : ElementType.F32;
    return format(type, rounding).code(Ex.as(from, real, Ex.x()), real, rounding.saturates());
  }

  private static SmallFormat format(CodedType type, Rounding rounding) {
    return switch (type) {
      case FLOAT8E4M3FN -> new FloatFormat(3, 7, 0x7e, 0x7f, 0x7f, 0x80, true);
      case FLOAT8E4M3FNUZ -> new FloatFormat(3, 8, 0x7f, 0x80, 0x80, 0x80, false);
      case FLOAT8E5M2 -> new FloatFormat(2, 15, 0x7b, 0x7c, 0x7e, 0x80, true);
      case FLOAT8E5M2FNUZ -> new FloatFormat(2, 16, 0x7f, 0x80, 0x80, 0x80, false);
      case FLOAT4E2M1 -> new FloatFormat(1, 1, 7, 7, 8, 8, true);
      case FLOAT8E8M0 -> new PowerFormat(mode(rounding.mode()));
      case STRING, UINT4, INT4, UINT2, INT2 -> throw none(type);
    };
  }

  private static PowerFormat.Rounding mode(String mode) {
    return Arrays.stream(PowerFormat.Rounding.values())
        .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(mode))
        .findFirst()
        .orElseThrow(() ->
            LoweringFault.of(
                "has attribute 'round_mode' = '%s'; supported are up, down and nearest"
                    .formatted(mode)));
  }

  private static IllegalArgumentException none(CodedType type) {
    return new IllegalArgumentException(type + " is no small float");
  }
}
