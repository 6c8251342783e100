package io.miniinference.service.serving;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// A secret that clients send as `Authorization: Bearer TOKEN`. The scheme is a word in letters of
/// any case (RFC 9110, 11.1), and so it is here.
public final class BearerToken {
  private static final String SCHEME = "Bearer ";

  private final byte[] token;

  public BearerToken(String token) {
    this.token = bytes(token);
  }

  /// Whether it was given, in a time that does not tell how much of it was right.
  ///
  /// @param authorization the header of that name, null if there is none
  public boolean isIn(@Nullable String authorization) {
    return authorization != null
        && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual(token, bytes(authorization.substring(SCHEME.length())));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
