/// The proof that comes with each plan: code of its own that replays a program over its placed
/// arrays and shares nothing with the planner but the records.
@NullMarked
package io.miniinference.plan.verify;

import org.jspecify.annotations.NullMarked;
