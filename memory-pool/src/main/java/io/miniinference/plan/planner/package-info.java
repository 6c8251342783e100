/// From a program to a plan: merges are decided, what is left is placed. `Planner` is where to
/// start reading.
@NullMarked
package io.miniinference.plan.planner;

import org.jspecify.annotations.NullMarked;
