package io.miniinference.service.serving;

import io.miniinference.service.config.EngineProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Who may ask for inferences: all, or those who know a token.
@Component
public final class InferenceToken {
  private final @Nullable BearerToken wanted;

  InferenceToken(EngineProperties properties) {
    String token = properties.inference().token();
    wanted = token == null ? null : new BearerToken(token);
  }

  /// Refuses those who do not know the token, before their request is read.
  ///
  /// @param authorization the header of that name, null if there is none
  /// @throws ServingException if the token is missing or another
  public void admit(@Nullable String authorization) {
    if (wanted != null && !wanted.isIn(authorization)) {
      throw new ServingException(
          ErrorKind.UNAUTHENTICATED,
          "inference wants the header 'authorization: Bearer TOKEN' with the token of"
              + " engine.inference.token");
    }
  }
}
