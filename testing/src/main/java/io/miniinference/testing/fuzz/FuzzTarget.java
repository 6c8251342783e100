package io.miniinference.testing.fuzz;

import java.util.List;

/// What takes bytes from outside and has promised to survive them. It has a constructor without
/// parameters, which prepares it once for all inputs.
public interface FuzzTarget extends AutoCloseable {
  /// Heap that an input may cost beside a multiple of its own bytes.
  long FREE_BYTES = 64L << 20;

  /// How many bytes an input may cost for each of its own.
  int BYTES_PER_BYTE = 4;

  /// Inputs to begin with, of every kind there is.
  List<byte[]> seeds();

  /// Takes an input, and throws whatever shows that a promise is broken.
  ///
  /// @return whether the input was valid: it becomes a seed then
  /// @throws java.net.SocketTimeoutException if nothing was answered in time: such an input is
  ///   tried again
  boolean take(byte[] input) throws Exception;

  /// Most bytes that an input may take from the heap, those that are given back included.
  default long mostAllocated(int inputBytes) {
    return FREE_BYTES + (long) BYTES_PER_BYTE * inputBytes;
  }

  @Override
  default void close() throws Exception {}
}
