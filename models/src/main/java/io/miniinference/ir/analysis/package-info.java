/// What can be told of core IR without running it: which nodes can fail on data ([Fallible]), and
/// which axes are rows of the batch ([Rowwise]).
@NullMarked
package io.miniinference.ir.analysis;

import org.jspecify.annotations.NullMarked;
