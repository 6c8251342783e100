package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Accumulator;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Vectors `a0`, `a1`, … of floats that a reduction combines side by side, so that one operation
/// does not wait for the one before.
public record Chains(Op.ReduceKind kind) {
  /// How many there are.
  public static final int NUMBER = 4;

  /// A line for each, by its number.
  public static String lines(IntFunction<String> line) {
    return IntStream.range(0, NUMBER).mapToObj(line).collect(Collectors.joining("\n"));
  }

  /// Text of two vectors combined.
  public String combined(String a, String b) {
    return Accumulator.of(kind, ElementType.F32).ofVectors(a, b);
  }

  /// Statements that combine all with the first.
  public String together() {
    return IntStream.range(1, NUMBER)
        .mapToObj(i -> "a0 = " + combined("a0", "a" + i) + ";")
        .collect(Collectors.joining("\n"));
  }
}
