package io.miniinference.service.serving;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.scheduling.Patience;
import io.miniinference.service.scheduling.Terms;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters of a request, an input or an output: texts, numbers and truth values by name.
/// Names that mean nothing here are let be, as the protocol wants it.
public final class Parameters {
  private static final int MOST = 256;

  /// The least number that is no whole one of 64 bits.
  private static final double TOO_LARGE = 0x1p64;

  private final String owner;
  private final Map<String, Object> values = new HashMap<>();

  /// @param owner whose they are, for messages
  public Parameters(String owner) {
    this.owner = owner;
  }

  /// Adds a [String], [Boolean], [Long] or [Double]. A whole number that is too large for a [Long]
  /// and not for 64 bits without a sign is [Long#MAX_VALUE].
  ///
  /// @throws InvalidRequestException if there are too many
  /// @throws ServingException if it is one of shared memory, which the protocol knows and this
  ///   service does not
  public void put(String name, Object value) {
    if (values.size() == MOST) {
      throw new InvalidRequestException(owner + " has more than " + MOST + " parameters");
    }
    if (name.startsWith("shared_memory")) {
      throw new ServingException(
          ErrorKind.UNSUPPORTED,
          "parameter '%s' of %s: shared memory is not supported, tensors are sent in requests and"
                  .formatted(name, owner)
              + " answers, as binary data");
    }
    values.put(name, value);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /// A truth value, null if there is none of this name.
  public @Nullable Boolean truth(String name) {
    Object value = values.get(name);
    if (value == null || value instanceof Boolean) {
      return (Boolean) value;
    }
    throw wrong(name, "true or false", value);
  }

  /// A whole number that is not negative, null if there is none of this name.
  public @Nullable Long count(String name) {
    Object value = values.get(name);
    if (value == null || value instanceof Long number && number >= 0) {
      return (Long) value;
    }
    boolean isLarge = value instanceof Double number && number >= TOO_LARGE;
    throw wrong(name, "a whole number " + (isLarge ? "below 2^64" : "that is not negative"), value);
  }

  /// How the request wants to be scheduled.
  ///
  /// @param base what its protocol says of that
  public Terms terms(Terms base) {
    Long priority = count("priority");
    Long timeoutMicros = count("timeout");
    Terms ranked = priority == null ? base : base.withPriority(priority);
    return timeoutMicros == null ? ranked : ranked.within(timeoutMicros, Patience.REQUEST);
  }

  private InvalidRequestException wrong(String name, String wanted, Object value) {
    return new InvalidRequestException(
        "parameter '%s' of %s must be %s, got %s"
            .formatted(name, owner, wanted, value instanceof String ? "\"" + value + "\"" : value));
  }
}
