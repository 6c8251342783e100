package io.miniinference.service.settings;

import io.miniinference.onnx.Quote;
import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The labels of a model's classes: one a line of a file that lies beside the model.
public final class Labels {
  private static final int MOST_BYTES = 4 << 20;
  private static final Pattern PLAIN = Pattern.compile("[\\w-][\\w. -]{0,200}");

  private Labels() {}

  /// Labels by output.
  ///
  /// @throws SettingsException if a file is missing, too large or not a plain name
  public static Map<String, List<String>> of(StoredModel model, ModelSettings settings) {
    Map<String, List<String>> labels = new HashMap<>();
    settings.labels().forEach((output, file) -> labels.put(output, lines(model, output, file)));
    return Map.copyOf(labels);
  }

  /// Refuses labels of an output that the model does not have, mostly a misspelt one.
  ///
  /// @throws SettingsException that names it, and those that there are
  public static void check(Set<String> labelled, List<String> outputs) {
    for (String output : labelled) {
      if (!outputs.contains(output)) {
        throw new SettingsException(
            "labels are set for output %s, which the model does not have: it has %s"
                .formatted(Quote.of(output), outputs));
      }
    }
  }

  private static List<String> lines(StoredModel model, String output, String file) {
    if (!PLAIN.matcher(file).matches()) {
      throw new SettingsException(
          "the labels of output %s are in %s: name a file beside the model, without a folder"
              .formatted(Quote.of(output), Quote.of(file)));
    }
    return SettingsFile.text(model.newest().path().resolveSibling(file), MOST_BYTES)
        .or(() -> SettingsFile.text(model.beside("model.yaml").resolveSibling(file), MOST_BYTES))
        .map(text -> text.lines().toList())
        .orElseThrow(() ->
            new SettingsException(
                "the labels of output %s are to be in %s, which is not beside the model"
                    .formatted(Quote.of(output), Quote.of(file))));
  }
}
