/// What a run launches where branches and loops decide it: the tree of launches that lowering
/// makes, what the host works out while a request is decoded, and the walk that puts both together.
@NullMarked
package io.miniinference.schedule;

import org.jspecify.annotations.NullMarked;
