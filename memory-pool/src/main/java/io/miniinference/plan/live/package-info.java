/// What lives when and where: the time of each step, the life of each block, and which bytes hold
/// which value.
@NullMarked
package io.miniinference.plan.live;

import org.jspecify.annotations.NullMarked;
