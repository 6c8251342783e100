package io.miniinference.ops.math;

import io.miniinference.ops.node.OpTable;

/// Conversions between element types.
public final class CastOps {
  private CastOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Cast", 6, "1", "to saturate=1 round_mode=up", c -> c.cast(c.in(0), c.attrType("to")))
        .row("CastLike", 15, "2", "saturate=1 round_mode=up", c -> c.cast(c.in(0), c.element(1)))
        .row("BitCast", 26, "1", "to", BitPatterns::bitCast);
  }
}
