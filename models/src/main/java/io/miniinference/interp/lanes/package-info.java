/// Register tiles and loops over `F32` with the Vector API, the same functions in plain Java, and
/// the memory of the threads that run them. Where the JVM has no module `jdk.incubator.vector`,
/// nobody may touch the classes that are called after vectors ([Lanes]).
@NullMarked
package io.miniinference.interp.lanes;

import org.jspecify.annotations.NullMarked;
