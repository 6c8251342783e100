/// Tests.
@NullMarked
package io.miniinference.plan.planner;

import org.jspecify.annotations.NullMarked;
