/// Register tiles and loops over `F32` with the Vector API, and the memory of the threads that run
/// them. Where the JVM has no module `jdk.incubator.vector`, nobody may touch them
/// ([io.miniinference.interp.fast.VectorForms]).
@NullMarked
package io.miniinference.interp.lanes;

import org.jspecify.annotations.NullMarked;
