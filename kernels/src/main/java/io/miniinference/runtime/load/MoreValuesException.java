package io.miniinference.runtime.load;

import java.util.Set;

/// Sizes of a model follow from the values of more inputs than was known.
public final class MoreValuesException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Set<String> inputs;

  public MoreValuesException(Set<String> inputs) {
    super("sizes follow from the values of " + inputs, null, false, false);
    this.inputs = Set.copyOf(inputs);
  }

  public Set<String> inputs() {
    return inputs;
  }
}
