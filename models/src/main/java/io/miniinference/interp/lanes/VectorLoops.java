package io.miniinference.interp.lanes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// Loops over float arrays with the Vector API, where an array is read at another place than one is
/// written: the JVM's compiler makes no vectors of such loops by itself. All arrays must have
/// [#SLACK] elements behind the last, of which some are read and written.
public final class VectorLoops {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /// Elements of the longest vectors there are.
  public static final int SLACK = 64;

  private VectorLoops() {}

  /// The larger ones of `a` from the start on and of `b` from `at` on.
  public static void max(float[] to, float[] a, float[] b, int at, int count) {
    for (int i = 0; i < count; i += SPECIES.length()) {
      FloatVector left = FloatVector.fromArray(SPECIES, a, i);
      left.max(FloatVector.fromArray(SPECIES, b, at + i)).intoArray(to, i);
    }
  }

  /// The sums of `a` from the start on and of `b` from `at` on.
  public static void add(float[] to, float[] a, float[] b, int at, int count) {
    for (int i = 0; i < count; i += SPECIES.length()) {
      FloatVector left = FloatVector.fromArray(SPECIES, a, i);
      left.add(FloatVector.fromArray(SPECIES, b, at + i)).intoArray(to, i);
    }
  }
}
