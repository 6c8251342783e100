package io.miniinference.signature;

/// One dimension of an input or output.
public sealed interface Dimension {
  /// Always of that size.
  record Fixed(long size) implements Dimension {}

  /// A multiple of the rows that a request has.
  ///
  /// @param factor at least 1
  record Batch(long factor) implements Dimension {
    public Batch {
      if (factor < 1) {
        throw new IllegalArgumentException("a batch dimension of " + factor + " times the batch");
      }
    }
  }

  /// What the request says. Dimensions of one symbol are of one size in it.
  ///
  /// @param symbol of the file, or `input[axis]` for a dimension without one
  record Open(String symbol) implements Dimension {}

  /// Any number of dimensions: the file declares no shape.
  record Rest() implements Dimension {}

  /// The size, −1 where that is the request's choice.
  default long declared() {
    return this instanceof Fixed fixed ? fixed.size() : -1;
  }
}
