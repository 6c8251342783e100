/// What the stages between core IR and kernels make, as text for people: steps, programs, plans,
/// schedules, launches. Core IR has a text of its own ([io.miniinference.ir.text.GraphText]).
@NullMarked
package io.miniinference.listing;

import org.jspecify.annotations.NullMarked;
