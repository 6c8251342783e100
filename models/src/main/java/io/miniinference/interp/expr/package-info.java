/// Expressions of core IR made runnable: element by element in any type ([ExprCompiler]), or over
/// stretches of `F32` ([FloatProgram]).
@NullMarked
package io.miniinference.interp.expr;

import org.jspecify.annotations.NullMarked;
