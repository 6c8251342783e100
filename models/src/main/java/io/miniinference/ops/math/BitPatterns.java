package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.bits;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.not;
import static io.miniinference.ir.Exprs.ofBits;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.small.SmallTypes;
import io.miniinference.ops.small.Whole;
import java.util.Optional;

/// The bits of numbers, and numbers of bits ([ONNX
/// BitCast](https://onnx.ai/onnx/operators/onnx__BitCast.html)). On the way they are signed
/// integers of the same width, of 32 bits where the number has 8 or 16.
final class BitPatterns {
  /// Bits of a half number's fraction, and how many more an `F32` has.
  private static final int HALF_FRACTION = 10;

  private static final int MORE_FRACTION = 13;

  /// The least half number whose fraction has all its bits.
  private static final double HALF_NORMAL = 0x1p-14;

  /// What the exponent of an `F32` is greater by than that of the same half number.
  private static final int MORE_BIAS = 127 - 15;

  private static final int HALF_INFINITY = 0x7c00;
  private static final int FLOAT_INFINITY = 0x7f800000;

  private static final Whole WHOLE = new Whole(ElementType.I32);

  private BitPatterns() {}

  /// BitCast of input 0. A byte as a boolean is whether it is not 0.
  static Value bitCast(OpContext c) {
    Optional<CodedType> coded = CodedType.ofOnnx((int) c.attrInt("to"));
    if (coded.isPresent() || c.coded(0).isPresent()) {
      return ofCodes(c, coded);
    }
    ElementType from = c.element(0);
    ElementType to = c.attrType("to");
    if (from.bytes() != to.bytes()) {
      throw LoweringFault.of(
          "takes the bits of %s for %s, which has another width".formatted(from, to));
    }
    boolean same = from == to;
    return same ? c.in(0) : c.map(number(to, pattern(from, Ex.x())), c.in(0));
  }

  /* Codes of 8 bits are the bits. */
  private static Value ofCodes(OpContext c, Optional<CodedType> to) {
    Optional<CodedType> from = c.coded(0);
    if (from.equals(to)) {
      return c.in(0);
    }
    ElementType element = to.map(CodedType::element).orElseGet(() -> c.attrType("to"));
    boolean areBytes =
        from.map(SmallTypes::isByte).orElse(c.element(0).bytes() == 1)
            && to.map(SmallTypes::isByte).orElse(element.bytes() == 1);
    if (!areBytes) {
      throw c.unsupported(
          "taking the bits of %s for %s"
              .formatted(
                  from.map(CodedType::name).orElse(c.element(0).toString()),
                  to.map(CodedType::name).orElse(element.toString())));
    }
    Value same = c.cast(c.numbers(c.in(0)), element);
    return to.map(type -> c.codes(same, type)).orElse(same);
  }

  private static Expr pattern(ElementType from, Expr x) {
    return switch (from) {
      case F32, F64 -> bits(x);
      case BF16 -> WHOLE.right(bits(cast(ElementType.F32, x)), Short.SIZE);
      case F16 -> halfPattern(cast(ElementType.F32, x));
      case I64, U64 -> Ex.as(from, ElementType.I64, x);
      case I8, I16, I32, U8, U16, U32, BOOL -> Ex.as(from, ElementType.I32, x);
    };
  }

  private static Expr number(ElementType to, Expr pattern) {
    return switch (to) {
      case F32, F64 -> ofBits(pattern);
      case BF16 -> cast(to, ofBits(WHOLE.left(pattern, Short.SIZE)));
      case F16 -> cast(to, half(pattern));
      case I64 -> pattern;
      case I32 -> pattern;
      case U64, I8, I16, U8, U16, U32, BOOL -> cast(to, pattern);
    };
  }

  /* Of an F32 that a half number equals. */
  private static Expr halfPattern(Expr x) {
    Expr own = bits(abs(x));
    Expr normal = sub(WHOLE.right(own, MORE_FRACTION), WHOLE.of(MORE_BIAS << HALF_FRACTION));
    Expr subnormal = cast(ElementType.I32, mul(abs(x), real(0x1p24)));
    Expr nan =
        add(WHOLE.right(own, MORE_FRACTION), WHOLE.of(HALF_INFINITY - (0xff << HALF_FRACTION)));
    Expr finite = select(lt(abs(x), real(HALF_NORMAL)), subnormal, normal);
    Expr magnitude = select(lt(own, WHOLE.of(FLOAT_INFINITY)), finite, nan);
    return select(lt(bits(x), WHOLE.of(0)), add(magnitude, WHOLE.of(Short.MIN_VALUE)), magnitude);
  }

  /* The F32 that equals a half number. */
  private static Expr half(Expr pattern) {
    Expr own = WHOLE.and(pattern, Short.MAX_VALUE);
    Expr wide = WHOLE.left(own, MORE_FRACTION);
    Expr normal = ofBits(add(wide, WHOLE.of(MORE_BIAS << (HALF_FRACTION + MORE_FRACTION))));
    Expr subnormal = mul(cast(ElementType.F32, own), real(0x1p-24));
    Expr finite = select(lt(own, WHOLE.of(1 << HALF_FRACTION)), subnormal, normal);
    Expr beyond = ofBits(WHOLE.or(wide, FLOAT_INFINITY));
    Expr magnitude = select(lt(own, WHOLE.of(HALF_INFINITY)), finite, beyond);
    Expr sign = WHOLE.and(pattern, 1L << (Short.SIZE - 1));
    Expr isPositive = not(cast(ElementType.BOOL, sign));
    return select(isPositive, magnitude, neg(magnitude));
  }

  private static Expr real(double value) {
    return const_(ElementType.F32, value);
  }
}
