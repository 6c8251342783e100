/// What the writers of OpenCL C share: names of types, text of expressions and index functions, the
/// failure protocol. Kernel text itself is each writer's own.
@NullMarked
package io.miniinference.codegen;

import org.jspecify.annotations.NullMarked;
