/// Text over vectors of sixteen lanes: expressions, channels in the lanes, rows in the lanes.
@NullMarked
package io.miniinference.codegen.cpu.lanes;

import org.jspecify.annotations.NullMarked;
