/// Kernel texts of a model with open sizes: which of their numbers come with a request, and are
/// arguments for that reason. It knows texts alone, and no kernel.
@NullMarked
package io.miniinference.codegen.open;

import org.jspecify.annotations.NullMarked;
