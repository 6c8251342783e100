/// What planning costs for programs with many steps, and how well they are placed.
@NullMarked
package io.miniinference.plan.growth;

import org.jspecify.annotations.NullMarked;
