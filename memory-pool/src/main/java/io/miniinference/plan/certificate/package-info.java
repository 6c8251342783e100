/// What a plan takes and why, as text, JSON and a drawing.
@NullMarked
package io.miniinference.plan.certificate;

import org.jspecify.annotations.NullMarked;
