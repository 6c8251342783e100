/// The stage "lower": core IR becomes steps over arrays, each with the kernel that its target
/// chooses ([Lowering]).
@NullMarked
package io.miniinference.lower.steps;

import org.jspecify.annotations.NullMarked;
