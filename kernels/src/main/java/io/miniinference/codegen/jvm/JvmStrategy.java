package io.miniinference.codegen.jvm;

import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;

/// What the JVM target decided for a node: nothing, since the interpreter's kernel looks at where
/// its arrays lie when it runs.
enum JvmStrategy implements Strategy {
  INTERPRETER;

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("interpreter, in a fast form where its arrays lie for one");
  }
}
