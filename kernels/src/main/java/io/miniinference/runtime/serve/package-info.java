/// A loaded model at work: what a load reserves, instances, and one request on one of them
/// ([Serving]).
@NullMarked
package io.miniinference.runtime.serve;

import org.jspecify.annotations.NullMarked;
