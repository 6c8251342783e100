/// The Open Inference Protocol V2 over gRPC: a front over the serving core, and the standard health
/// service.
@NullMarked
package io.miniinference.service.grpc;

import org.jspecify.annotations.NullMarked;
