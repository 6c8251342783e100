/// Serving without a protocol: a request of tensors goes in, a completion or a typed failure comes
/// out. REST and gRPC are fronts over it; nothing here knows either.
@NullMarked
package io.miniinference.service.serving;

import org.jspecify.annotations.NullMarked;
