/// What the operator sees when the service starts, or does not.
@NullMarked
package io.miniinference.service.startup;

import org.jspecify.annotations.NullMarked;
