package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.pow;
import static io.miniinference.ir.Exprs.sqrt;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ReduceOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.stream.IntStream;

/// Pools over windows, and over whole images.
public final class PoolOps {
  private static final Expr X = Ex.x();

  /// The attributes of AveragePool.
  public static final String AVERAGE = WindowAttributes.NAMES + " ceil_mode=0 count_include_pad=0";

  private PoolOps() {}

  public static void addTo(OpTable table) {
    String names = WindowAttributes.NAMES + " ceil_mode=0";
    PooledPlacesRule.addTo(table);
    table
        .row("AveragePool", 1, "1", AVERAGE, c -> average(c, c.in(0)))
        .row("LpPool", 1, "1", names + " p=2", c -> norm(c, earlyPower(c)))
        .row("LpPool", 2, "1", names + " p=2", c -> norm(c, c.attrInt("p")))
        .row("GlobalMaxPool", 1, "1", "", PoolOps::globalMax)
        .row("GlobalAveragePool", 1, "1", "", c -> ReduceOps.mean(c, c.in(0), spatial(c), true))
        .row("GlobalLpPool", 1, "1", "p=2", c -> globalNorm(c, earlyPower(c)))
        .row("GlobalLpPool", 2, "1", "p=2", c -> globalNorm(c, c.attrInt("p")));
  }

  private static Value pool(OpContext c, Value x, PoolKind kind) {
    boolean ceil = c.attrBool("ceil_mode");
    return c.emit(
        new Op.WindowReduce(kind, new WindowAttributes(c).forward(List.of(), ceil), ceil), x);
  }

  /// Averages of `x`, which is shaped as input 0.
  public static Value average(OpContext c, Value x) {
    boolean padded = c.attrBool("count_include_pad");
    return pool(c, x, padded ? PoolKind.AVERAGE_WITH_PADDING : PoolKind.AVERAGE);
  }

  /// Before opset 2 a float, whose value is whole since.
  private static long earlyPower(OpContext c) {
    float p = c.attrFloat("p");
    if (p != Math.rint(p)) {
      throw LoweringFault.of("has attribute 'p' = %s, needs a whole number".formatted(p));
    }
    return (long) p;
  }

  private static Value norm(OpContext c, long p) {
    return root(c, p, pool(c, c.map(power(c, p), c.in(0)), PoolKind.SUM));
  }

  private static Value globalNorm(OpContext c, long p) {
    return root(c, p, c.reduce(ReduceKind.SUM, spatial(c), true, power(c, p), c.in(0)));
  }

  /// `|x|^p`.
  static Expr power(OpContext c, long p) {
    if (p == 1) {
      return abs(X);
    }
    return p == 2 ? mul(X, X) : pow(abs(X), const_(c.element(0), (double) p));
  }

  /// `x^(1/p)`.
  static Value root(OpContext c, long p, Value x) {
    ElementType type = x.type().element();
    if (p < 1) {
      throw LoweringFault.of("has attribute 'p' = %d, needs 1 or more".formatted(p));
    }
    return switch ((int) Math.min(p, 3)) {
      case 1 -> x;
      case 2 -> c.map(sqrt(X), x);
      default -> c.map(pow(X, const_(type, 1.0 / p)), x);
    };
  }

  private static Value globalMax(OpContext c) {
    return c.reduce(ReduceKind.MAX, spatial(c), true, X, c.in(0));
  }

  /// The axes of input 0 behind batch and channels.
  public static List<Integer> spatial(OpContext c) {
    return IntStream.range(2, c.rank(0)).boxed().toList();
  }
}
