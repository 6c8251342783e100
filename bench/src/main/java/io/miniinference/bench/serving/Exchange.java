package io.miniinference.bench.serving;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// The state of one connection, on which one request at a time is sent.
interface Exchange {
  /// What the connection begins with.
  byte[] opening();

  /// The bytes of the next request.
  ByteBuffer next();

  /// Takes the whole frames or answers out of what has come.
  ///
  /// @param in ready to be read; what stays in it is given again with what comes later
  /// @param reply takes bytes to be sent at once
  /// @return whether the answer to the last request is complete
  /// @throws io.miniinference.bench.suite.BenchException if it is an error
  boolean take(ByteBuffer in, Consumer<byte[]> reply);

  /// The body of the last answer.
  byte[] body();
}
