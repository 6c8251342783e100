package io.miniinference.spring.observe;

import io.miniinference.runtime.Model;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A model as an operator sees it.
///
/// @param version empty if it has none
/// @param state a word, such as `ready`
/// @param reason why it is in that state, if there is more to say
/// @param model what is loaded, null if it is not
/// @param loadSeconds what its load took, not a number if nobody measured it
public record ModelView(
    String name,
    String version,
    String state,
    @Nullable String reason,
    @Nullable Model model,
    double loadSeconds) {

  private static final String READY = "ready";

  /// The state of a model that was taken out of service, and is missed by nobody.
  public static final String UNLOADED = "unloaded";

  /// A model that is loaded.
  public static ModelView ready(String name, String version, Model model, double loadSeconds) {
    return new ModelView(name, version, READY, null, model, loadSeconds);
  }

  /// Whether it takes requests; one that rests is loaded, and does not.
  boolean isReady() {
    return state.equals(READY);
  }

  /// A model that is not loaded.
  public static ModelView other(
      String name, String version, String state, @Nullable String reason) {
    return new ModelView(name, version, state, reason, null, Double.NaN);
  }

  /// The same, loaded, but not to be used for a reason.
  public ModelView resting(String why) {
    return new ModelView(name, version, "resting", why, model, loadSeconds);
  }

  /// State, version and reason as far as they are known.
  Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("state", state);
    if (!version.isEmpty()) {
      details.put("version", version);
    }
    if (reason != null) {
      details.put("reason", reason);
    }
    return details;
  }
}
