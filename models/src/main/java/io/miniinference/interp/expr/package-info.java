/// Expressions of core IR made runnable: element by element in any type ([ExprCompiler]), or over
/// stretches: of `F32` ([FloatProgram]), of integers ([WholeProgram]), of several types and at
/// computed coordinates ([MixedProgram]).
@NullMarked
package io.miniinference.interp.expr;

import org.jspecify.annotations.NullMarked;
