package io.miniinference.service.serving;

import io.miniinference.service.config.EngineProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Who may ask for inferences: all, or those who know a token.
@Component
public final class InferenceToken {
  private final byte @Nullable [] wanted;

  InferenceToken(EngineProperties properties) {
    String token = properties.inference().token();
    wanted = token == null ? null : bytes("Bearer " + token);
  }

  /// Refuses those who do not know the token, before their request is read. It takes a time that
  /// does not tell how much of the token was right.
  ///
  /// @param authorization the header of that name, null if there is none
  /// @throws ServingException if the token is missing or another
  public void admit(@Nullable String authorization) {
    if (wanted != null
        && !MessageDigest.isEqual(wanted, bytes(authorization == null ? "" : authorization))) {
      throw new ServingException(
          ErrorKind.UNAUTHENTICATED,
          "inference wants the header 'Authorization: Bearer TOKEN' with the token of"
              + " engine.inference.token");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
