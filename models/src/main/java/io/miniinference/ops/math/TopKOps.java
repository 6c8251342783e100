package io.miniinference.ops.math;

import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;

/// The largest or smallest elements along an axis, in order, and where they lie. Results that the
/// file does not ask to be `sorted` are sorted all the same.
public final class TopKOps {
  private TopKOps() {}

  public static void addTo(OpTable table) {
    table
        .rows("TopK", 1, "1", "axis=-1 k", c -> topK(c, c.attrInt("k"), true))
        .rows("TopK", 10, "2", "axis=-1", c -> topK(c, c.int1(1), true))
        .rows(
            "TopK",
            11,
            "2",
            "axis=-1 largest=1 sorted=1",
            c -> topK(c, c.int1(1), c.attrBool("largest")));
  }

  private static List<Value> topK(OpContext c, long k, boolean largest) {
    c.requireRank(0, 1);
    return c.emitAll(new Op.TopK(c.attrAxis("axis", c.rank(0)), k, largest), c.in(0));
  }
}
