/// The core IR: a graph of about sixteen operators ([Op]) over typed values, with elementwise
/// computation as expressions ([Expr]) and one batch symbol in the shapes. Importing lowers every
/// ONNX operator to it; passes, interpreter and code generation know nothing else.
///
/// `ir.type` types and checks it, `ir.text` writes and reads it, `ir.analysis` says what of it can
/// fail and which axes are rows, and `ir.build` makes graphs by hand.
@NullMarked
package io.miniinference.ir;

import org.jspecify.annotations.NullMarked;
