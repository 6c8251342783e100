package io.miniinference.service.engine;

import org.jspecify.annotations.Nullable;

/// A request that cannot be answered because the device was lost. The service opens it anew; the
/// client may try again later.
public final class DeviceLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DeviceLostException(@Nullable Throwable cause) {
    super(
        "the device was lost and is being opened anew"
            + (cause == null ? "" : ": " + cause.getMessage()),
        cause);
  }
}
