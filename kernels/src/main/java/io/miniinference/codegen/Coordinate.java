package io.miniinference.codegen;

/// Text of one logical coordinate, where useful also split into block and lane.
///
/// @param whole the coordinate
/// @param block lanes per block, 1 if it is not split
/// @param outer the block's number
/// @param inner the lane
public record Coordinate(String whole, int block, String outer, String inner) {
  public static final Coordinate ZERO = of("0");

  public static Coordinate of(String whole) {
    return new Coordinate(whole, 1, whole, "0");
  }

  public static Coordinate split(int block, String outer, String inner) {
    return new Coordinate(outer + "*" + block + "+" + inner, block, outer, inner);
  }

  public boolean isZero() {
    return whole.equals("0");
  }
}
