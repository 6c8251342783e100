package io.miniinference.bench.serving;

import module java.base;

/// The state of one connection, on which one request at a time is sent.
interface Exchange {
  /// The bytes of the next request.
  byte[] next();

  /// Takes what is whole out of what has come.
  ///
  /// @param in ready to be read; what stays in it is given again with what comes later
  /// @param replies takes bytes that are to be sent at once
  /// @return the body of the answer, once that is complete
  /// @throws io.miniinference.bench.measure.BenchException if it is an error
  Optional<byte[]> take(ByteBuffer in, ByteArrayOutputStream replies);
}
