/// An engine that computes on the heap, for tests of the web layer: it obeys the runtime's contract
/// (staging of exact size, failures by row, memory taken from a pool) with models of a line each.
@NullMarked
package io.miniinference.service.doubles;

import org.jspecify.annotations.NullMarked;
