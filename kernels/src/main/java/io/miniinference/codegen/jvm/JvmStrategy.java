package io.miniinference.codegen.jvm;

import io.miniinference.lower.Strategy;

/// What the JVM target decided for a node: nothing, since the interpreter's kernel looks at where
/// its arrays lie when it runs.
enum JvmStrategy implements Strategy {
  INTERPRETER
}
