package io.miniinference.service.describe;

/// What Triton, or KServe in V1, offers and this service does not, with what to do instead: a
/// client that asks for it is told more than that there is nothing.
public enum Unoffered {
  SHARED_MEMORY("shared memory is not supported: send tensors in requests, as binary data"),
  LOG_SETTINGS("the log is not set over the API: set the properties logging.level.*"),
  TRACE_SETTINGS(
      "traces are not set over the API: set the properties management.tracing.* and"
          + " management.opentelemetry.*"),
  EXPLANATIONS("explanations are not computed here: tensors are sent to /v1/models/NAME:predict"),
  TEXTS("texts are not generated here: tensors are sent to /v2/models/NAME/infer");

  private final String instead;

  Unoffered(String instead) {
    this.instead = instead;
  }

  /// What a client is told.
  public String instead() {
    return instead;
  }
}
