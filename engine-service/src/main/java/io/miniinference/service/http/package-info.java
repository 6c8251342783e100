/// The HTTP server beneath REST: connections that survive refusals, and errors of the container in
/// the protocol's words.
@NullMarked
package io.miniinference.service.http;

import org.jspecify.annotations.NullMarked;
