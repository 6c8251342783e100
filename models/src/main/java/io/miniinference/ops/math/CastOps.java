package io.miniinference.ops.math;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.Optional;

/// Conversions between element types.
public final class CastOps {
  private CastOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Cast", 6, "1", "to saturate=1 round_mode=up", CastOps::cast)
        .row("CastLike", 15, "2", "saturate=1 round_mode=up", CastOps::castLike)
        .row("BitCast", 26, "1", "to", BitPatterns::bitCast);
  }

  private static Value cast(OpContext c) {
    int number = (int) c.attrInt("to");
    return isSameCoded(c, CodedType.ofOnnx(number))
        ? c.in(0)
        : c.cast(c.in(0), OpContext.elementType(number));
  }

  private static Value castLike(OpContext c) {
    return isSameCoded(c, c.coded(1)) ? c.in(0) : c.cast(c.in(0), c.element(1));
  }

  /* Whether nothing is to do; codes are no numbers to convert. */
  private static boolean isSameCoded(OpContext c, Optional<CodedType> to) {
    Optional<CodedType> from = c.coded(0);
    if (!from.equals(to)) {
      throw LoweringFault.of(
          "casts %s to %s, which is not supported; do it in the client"
              .formatted(name(from, c.element(0)), to.map(CodedType::name).orElse("numbers")));
    }
    return from.isPresent();
  }

  private static String name(Optional<CodedType> coded, ElementType element) {
    return coded.map(CodedType::name).orElse(element.toString());
  }
}
