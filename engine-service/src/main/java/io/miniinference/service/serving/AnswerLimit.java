package io.miniinference.service.serving;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.elements.StringElements;
import java.util.function.IntPredicate;
import org.springframework.stereotype.Component;

/// The bound on the strings of an answer as they are sent: a string of a request may be in many
/// places of an output, and JSON writes some bytes as six. An answer takes no more than a body may,
/// and what does is refused before anything of it is written.
@Component
public final class AnswerLimit {
  private final long mostBytes;

  AnswerLimit(EngineProperties properties) {
    mostBytes = properties.http().maxBodySize().toBytes();
  }

  /// Checks an answer.
  ///
  /// @param isBinary whether the output at a place is sent as binary data; others as JSON
  /// @throws InvalidRequestException if its strings take too much
  public void check(InferResponse response, IntPredicate isBinary) {
    long left = mostBytes;
    for (int i = 0; i < response.outputs().size(); i++) {
      if (response.outputs().get(i) instanceof OutputTensor.Strings strings) {
        left = left(strings, isBinary.test(i), left);
      }
    }
  }

  private long left(OutputTensor.Strings output, boolean isBinary, long left) {
    StringElements elements = output.elements();
    long bytes = isBinary ? elements.wireBytes() : elements.jsonBytes(left);
    if (bytes > left) {
      throw new InvalidRequestException(
          "output '%s' would take %s%d bytes of %s, and its answer has %d left of the %d that strings of an answer may take (engine.http.max-body-size)"
              .formatted(
                  output.name(),
                  isBinary ? "" : "at least ",
                  bytes,
                  isBinary ? "binary data" : "JSON",
                  left,
                  mostBytes));
    }
    return left - bytes;
  }
}
