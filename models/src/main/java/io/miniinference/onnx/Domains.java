package io.miniinference.onnx;

import java.util.Optional;

/// Names of operator domains.
public final class Domains {
  private Domains() {}

  /// The default domain has two names, "" and "ai.onnx"; the first is used.
  public static String canonical(String domain) {
    return domain.equals("ai.onnx") ? "" : domain;
  }

  /// The version of a domain that a model does not import: that of `com.microsoft` is 1 in every
  /// model, and fusions that put its operators into a model leave out the import.
  public static Optional<Long> implied(String domain) {
    return domain.equals("com.microsoft") ? Optional.of(1L) : Optional.empty();
  }

  /// The domain's name for a message.
  public static String shown(String domain) {
    return domain.isEmpty() ? "ai.onnx" : Quote.of(domain);
  }
}
