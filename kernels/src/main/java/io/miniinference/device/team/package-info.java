/// Worker threads that share the work items of a launch: what CPUs run on, through OpenCL and in
/// Java.
@NullMarked
package io.miniinference.device.team;

import org.jspecify.annotations.NullMarked;
