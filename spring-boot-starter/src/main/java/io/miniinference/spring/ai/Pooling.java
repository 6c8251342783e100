package io.miniinference.spring.ai;

/// How one vector is made of those of a text's tokens.
public enum Pooling {
  /// Their mean.
  MEAN,
  /// That of the first token.
  FIRST
}
