package io.miniinference.service.settings;

import io.miniinference.onnx.Quote;
import io.miniinference.repository.FolderRules;
import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import io.miniinference.service.shapes.TensorBlocks;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the files beside a model set for it: `model.yaml`, and for what that does not set, Triton's
/// `config.pbtxt`, in whose place a request to load the model may have another.
///
/// @param settings theirs, below the properties
/// @param tensors what Triton's configuration says of inputs and outputs
/// @param inVain fields of it that are not applied, by their paths
/// @param given all that it says
public record ModelFiles(
    ModelSettings settings, TensorBlocks tensors, Set<String> inVain, ModelConfig given) {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFiles.class);

  public ModelFiles {
    inVain = Set.copyOf(inVain);
  }

  /// Reads the files of a model.
  ///
  /// @param properties go before what lies in files
  /// @param given in the place of `config.pbtxt`; null for the file
  /// @throws SettingsException if a file cannot be understood
  public static ModelFiles of(
      StoredModel model, ModelSettings properties, @Nullable TritonConfig given) {
    TritonConfig triton = given == null ? triton(model) : given;
    checkName(model, triton.given().getName());
    return new ModelFiles(
        properties.over(yaml(model)).over(triton.settings()),
        triton.tensors(),
        triton.ignored(),
        triton.given());
  }

  private static void checkName(StoredModel model, String configured) {
    if (!configured.isEmpty() && !configured.equals(model.name()) && !isRenamed(model)) {
      throw new SettingsException(
          "its configuration is for a model %s: set the name to %s, or leave it out"
              .formatted(Quote.of(configured), Quote.of(model.name())));
    }
  }

  /* Its configuration is from where it had another name. */
  private static boolean isRenamed(StoredModel model) {
    Path folder = model.folder();
    return folder != null && !folder.endsWith(model.name());
  }

  private static ModelSettings yaml(StoredModel model) {
    Path file = model.beside("model.yaml");
    return SettingsFile.text(file)
        .map(text -> ModelYaml.parse(SettingsFile.shown(file), text))
        .orElse(ModelSettings.none());
  }

  private static TritonConfig triton(StoredModel model) {
    Path folder = model.folder();
    return folder == null ? TritonConfig.none() : triton(folder);
  }

  private static TritonConfig triton(Path folder) {
    Path file = folder.resolve("config.pbtxt");
    return SettingsFile.text(file)
        .map(text -> TritonConfig.parse(SettingsFile.shown(file), text))
        .orElse(TritonConfig.none());
  }

  /// What Triton's `config.pbtxt` says of a model's folder: the name of the file in each of its
  /// versions, or that it is for another backend. What is wrong with the file is told when its
  /// model is loaded.
  ///
  /// @param folder of the model
  public static FolderRules rules(Path folder) {
    try {
      TritonConfig config = triton(folder);
      return new FolderRules(config.fileName(), config.foreign());
    } catch (SettingsException e) {
      return FolderRules.none();
    }
  }

  /// Warns of what is set in vain. It is for a load to say, since files are read more often.
  public void warn(String model) {
    if (!inVain.isEmpty()) {
      LOG.warn(
          "model '{}': its configuration sets what is not applied: {}",
          model,
          new TreeSet<>(inVain));
    }
  }
}
