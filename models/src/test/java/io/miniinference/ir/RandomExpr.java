package io.miniinference.ir;

import io.miniinference.layout.Affine;
import java.util.List;
import java.util.random.RandomGenerator;

/// Random expressions for tests, of a given depth at most.
public final class RandomExpr {
  private RandomExpr() {}

  /// Any expression, whatever its parts' types.
  public static Expr untyped(RandomGenerator random, int depth) {
    if (depth == 0) {
      return leaf(random);
    }
    Expr x = untyped(random, random.nextInt(depth));
    Expr y = untyped(random, random.nextInt(depth));
    return switch (random.nextInt(6)) {
      case 0 -> new Expr.Unary(pick(random, Expr.UnaryOp.values()), x);
      case 1 -> new Expr.Cast(pick(random, ElementType.values()), x);
      case 2 -> new Expr.Select(x, y, leaf(random));
      case 3 -> new Expr.At(random.nextInt(12), List.of(x, y));
      default -> new Expr.Binary(pick(random, Expr.BinaryOp.values()), x, y);
    };
  }

  private static Expr leaf(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Expr.Arg(random.nextInt(12));
      case 1 -> new Expr.Index(random.nextInt(4));
      case 2 -> new Expr.Extent(new Affine(random.nextInt(-3, 4), random.nextInt(-3, 4)));
      default -> constant(random);
    };
  }

  private static Expr constant(RandomGenerator random) {
    ElementType type = pick(random, ElementType.values());
    if (!type.isFloat()) {
      return Expr.Const.of(type, random.nextLong());
    }
    double[] special = {0.0, -0.0, 1e30, -1e-30, Double.POSITIVE_INFINITY, Double.NaN};
    int choice = random.nextInt(special.length * 2);
    return Expr.Const.of(type, choice < special.length ? special[choice] : random.nextGaussian());
  }

  static <T> T pick(RandomGenerator random, T[] values) {
    return values[random.nextInt(values.length)];
  }
}
