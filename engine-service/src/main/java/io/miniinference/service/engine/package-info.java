/// The one engine of the process: opened before the port, closed after the last request.
@NullMarked
package io.miniinference.service.engine;

import org.jspecify.annotations.NullMarked;
