/// OpenCL devices through JOCL, and the care that PoCL needs. The only package that touches JOCL.
@NullMarked
package io.miniinference.device.opencl;

import org.jspecify.annotations.NullMarked;
