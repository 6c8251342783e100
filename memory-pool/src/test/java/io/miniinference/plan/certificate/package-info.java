/// Tests.
@NullMarked
package io.miniinference.plan.certificate;

import org.jspecify.annotations.NullMarked;
