/// Models whose sizes only requests tell: compiled per shape, and kept while there is room
/// ([SpecialisingModel]).
@NullMarked
package io.miniinference.runtime.specialise;

import org.jspecify.annotations.NullMarked;
