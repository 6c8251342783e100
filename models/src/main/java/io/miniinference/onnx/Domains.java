package io.miniinference.onnx;

/// Names of operator domains.
public final class Domains {
  private Domains() {}

  /// The default domain has two names, "" and "ai.onnx"; the first is used.
  public static String canonical(String domain) {
    return domain.equals("ai.onnx") ? "" : domain;
  }

  /// The domain's name for a message.
  public static String shown(String domain) {
    return domain.isEmpty() ? "ai.onnx" : Quote.of(domain);
  }
}
