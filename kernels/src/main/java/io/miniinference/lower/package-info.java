/// The stage from core IR to steps over arrays in memory blocks, in the layouts that a target wants
/// ([io.miniinference.lower.LoweredProgram]).
@NullMarked
package io.miniinference.lower;

import org.jspecify.annotations.NullMarked;
