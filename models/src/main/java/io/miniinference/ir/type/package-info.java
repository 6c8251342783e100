/// The types of core IR: what an operator gives for operands of given types, and whether a graph
/// keeps to that ([OpType], [ExprType], [GraphCheck]).
@NullMarked
package io.miniinference.ir.type;

import org.jspecify.annotations.NullMarked;
