/// One suite that every writer of kernels and every device keeps to, the plain interpreter being
/// the oracle: many small cases in few graphs, since each program costs build time.
@NullMarked
package io.miniinference.conformance;

import org.jspecify.annotations.NullMarked;
