/// The trace to which a request belongs, in log lines and answers (W3C Trace Context).
@NullMarked
package io.miniinference.service.trace;

import org.jspecify.annotations.NullMarked;
