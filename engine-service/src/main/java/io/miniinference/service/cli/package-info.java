/// The command line: what `./mie` passes on.
@NullMarked
package io.miniinference.service.cli;

import org.jspecify.annotations.NullMarked;
