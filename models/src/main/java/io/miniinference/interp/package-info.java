/// The interpreter of core IR over memory segments: it folds constants, is the oracle of every
/// differential test, and runs on the JVM device. [NodeKernel] executes one node over views in any
/// layout; [Interpreter] runs whole graphs.
///
/// A kernel of `interp.plain` is the meaning of its operator; one of `interp.fast` gives the same
/// bits, sooner. Both stand on `interp.expr` and `interp.memory`.
@NullMarked
package io.miniinference.interp;

import org.jspecify.annotations.NullMarked;
