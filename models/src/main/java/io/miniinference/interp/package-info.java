/// The plain interpreter of core IR over memory segments: it folds constants, is the oracle of
/// every differential test, and runs on the JVM device. [NodeKernel] executes one node over
/// [TensorView]s in any layout; [Interpreter] runs whole graphs.
@NullMarked
package io.miniinference.interp;

import org.jspecify.annotations.NullMarked;
