package io.miniinference.schedule;

import io.miniinference.ir.Value;
import io.miniinference.plan.Array;

/// Who knows a condition or a trip count when it is needed. Both are scalars.
public sealed interface Decision {

  /// It follows from constants, sizes, small inputs and numbers of iterations: the host evaluates
  /// it, and nobody waits.
  record OnHost(Value value) implements Decision {}

  /// The device computes it: the host waits and reads it.
  record OnDevice(Array array) implements Decision {}

  default boolean waits() {
    return this instanceof OnDevice;
  }
}
