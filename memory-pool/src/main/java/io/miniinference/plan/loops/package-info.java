/// Copies that loops need not make: initial values that the first iteration reads where they lie,
/// and states that alternate between two places.
///
/// Frozen: this serves loops that carry large values, none of which the networks that we know have.
/// It is kept as it is, proven by the verifier like all else, and gets no further work until such a
/// network is measured.
@NullMarked
package io.miniinference.plan.loops;

import org.jspecify.annotations.NullMarked;
