/// What one load may take: limits in time, work and memory, and the account that is kept of it.
@NullMarked
package io.miniinference.budget;

import org.jspecify.annotations.NullMarked;
