/// PyTorch on a GPU as a peer, in a process of its own.
@NullMarked
package io.miniinference.bench.pytorch;

import org.jspecify.annotations.NullMarked;
