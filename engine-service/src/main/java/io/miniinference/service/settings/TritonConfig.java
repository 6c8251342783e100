package io.miniinference.service.settings;

import com.google.protobuf.Descriptors.Descriptor;
import io.miniinference.onnx.Quote;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import io.miniinference.service.shapes.TensorBlock;
import io.miniinference.service.shapes.TensorBlocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What Triton's configuration of a model (`config.pbtxt`, or that of a load's request) sets for a
/// model, as far as it applies here.
///
/// @param settings the batch, the delay, instances, the default priority, labels, versions
/// @param fileName of the model in each of its versions; empty for the usual one
/// @param tensors what it says of inputs and outputs
/// @param ignored the fields that are not applied, by their paths
/// @param given all that it says, whether or not it is applied
/// @param foreign why its model is none of this service, in words that follow its name; empty if it
///   is one
public record TritonConfig(
    ModelSettings settings,
    String fileName,
    TensorBlocks tensors,
    Set<String> ignored,
    ModelConfig given,
    String foreign) {
  private static final int MOST_INSTANCES = 64;
  private static final Descriptor SCHEMA = ModelConfig.getDescriptor();

  /// What the model itself says, and better.
  private static final Set<String> KNOWN_FROM_THE_MODEL = Set.of("name", "platform", "backend");

  private static final Set<String> APPLIED =
      Set.of(
          "default_model_filename",
          "max_batch_size",
          "dynamic_batching",
          "instance_group",
          "version_policy",
          "input",
          "output");
  private static final Set<String> OF_BATCHING =
      Set.of("max_queue_delay_microseconds", "default_priority_level");
  private static final Set<String> OF_GROUPS = Set.of("count", "name", "kind");
  private static final Set<String> OF_TENSORS =
      Set.of("name", "data_type", "dims", "reshape", "format", "label_filename");

  /// That of a model without such a file.
  static TritonConfig none() {
    return new TritonConfig(
        ModelSettings.none(),
        "",
        TensorBlocks.none(),
        Set.of(),
        ModelConfig.getDefaultInstance(),
        "");
  }

  /// Reads a file's text.
  ///
  /// @throws SettingsException that names the file, and the line or the field
  static TritonConfig parse(String file, String text) {
    return of(file, TextMessageReader.read(file, text));
  }

  /// Reads a configuration in JSON, as a request to load a model has it.
  ///
  /// @throws SettingsException that says what is wrong with it, or that it is for another backend
  public static TritonConfig ofJson(String text) {
    String source = "the parameter config";
    if (text.length() > SettingsFile.MOST_BYTES) {
      throw new SettingsException(
          "%s is over %,d characters".formatted(source, SettingsFile.MOST_BYTES));
    }
    TritonConfig config = of(source, JsonMessage.read(source, text));
    if (!config.foreign.isEmpty()) {
      throw new SettingsException(config.foreign);
    }
    return config;
  }

  private static TritonConfig of(String file, TextMessage config) {
    try {
      ConfigMessage.checkNames(config);
      ModelSettings settings = settings(config);
      TensorBlocks tensors = tensors(config);
      ModelConfig given = ConfigMessage.of(config);
      return new TritonConfig(
          settings,
          config.scalar("default_model_filename").orElse(""),
          tensors,
          ignored(config),
          given,
          Backends.whyForeign(file, config));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new SettingsException(file + ": " + e.getMessage(), e);
    }
  }

  private static ModelSettings settings(TextMessage config) {
    TextMessage batching = last(config.messages("dynamic_batching"));
    return new ModelSettings(
        Map.of(),
        "",
        maxBatch(config),
        instances(config),
        null,
        versions(config),
        delay(batching),
        priority(batching),
        Map.of(),
        Map.of(),
        null,
        labels(config));
  }

  /* The largest batch; null where the configuration says nothing of it, or 0, which is the same. */
  private static @Nullable Integer maxBatch(TextMessage config) {
    if (config.scalar("max_batch_size").filter(text -> text.startsWith("-")).isPresent()) {
      throw new IllegalArgumentException(
          "max_batch_size is %s: say how large a batch may be, or 0 for a model without a batch"
              .formatted(Quote.of(config.scalar("max_batch_size").orElse(""))));
    }
    Integer batch = number("max_batch_size", config);
    return batch == null || batch == 0 ? null : batch;
  }

  /* The one that counts; one without fields if there is none. */
  private static TextMessage last(List<TextMessage> messages) {
    return messages.isEmpty() ? new TextMessage() : messages.getLast();
  }

  /* 0 is none, as with the largest batch. */
  private static @Nullable Integer priority(TextMessage batching) {
    Integer level = number("default_priority_level", batching);
    return level == null || level == 0 ? null : level;
  }

  private static @Nullable Duration delay(TextMessage batching) {
    return batching
        .scalar("max_queue_delay_microseconds")
        .map(text -> Duration.ofNanos(Math.multiplyExact(whole("the delay", text), 1000)))
        .orElse(null);
  }

  private static @Nullable Integer instances(TextMessage config) {
    long count = 0;
    for (TextMessage group : config.messages("instance_group")) {
      count += whole("instance_group.count", group.scalar("count").orElse("1"));
    }
    return count == 0 ? null : (int) Math.min(MOST_INSTANCES, count);
  }

  private static @Nullable String versions(TextMessage config) {
    TextMessage policy = last(config.messages("version_policy"));
    if (policy.has("all")) {
      return "all";
    }
    Optional<TextMessage> latest = policy.messages("latest").stream().findFirst();
    if (latest.isPresent()) {
      return "latest:" + latest.get().scalar("num_versions").orElse("1");
    }
    return policy.messages("specific").stream()
        .findFirst()
        .map(specific -> String.join(",", specific.scalars("versions")))
        .orElse(null);
  }

  private static Map<String, String> labels(TextMessage config) {
    Map<String, String> labels = new TreeMap<>();
    for (TextMessage output : config.messages("output")) {
      Optional<String> file = output.scalar("label_filename").filter(name -> !name.isEmpty());
      file.ifPresent(name -> labels.put(output.scalar("name").orElse(""), name));
    }
    return labels;
  }

  private static TensorBlocks tensors(TextMessage config) {
    return new TensorBlocks(
        maxBatch(config) != null, tensors("input", config), tensors("output", config));
  }

  private static List<TensorBlock> tensors(String role, TextMessage config) {
    return config.messages(role).stream().map(TritonConfig::tensor).toList();
  }

  private static TensorBlock tensor(TextMessage block) {
    List<TextMessage> reshape = block.messages("reshape");
    return new TensorBlock(
        block.scalar("name").orElse(""),
        block.scalar("data_type").orElse(""),
        block.has("dims") ? sizes("dims", block) : null,
        reshape.isEmpty() ? null : sizes("shape", last(reshape)));
  }

  private static List<Long> sizes(String field, TextMessage message) {
    return message.scalars(field).stream()
        .map(text -> text.equals("-1") ? -1L : whole(field, text))
        .toList();
  }

  private static @Nullable Integer number(String field, TextMessage message) {
    return message.scalar(field).map(text -> integer(field, text)).orElse(null);
  }

  private static int integer(String field, String text) {
    long number = whole(field, text);
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "'%s' is %s, not from 0 to %d".formatted(field, text, Integer.MAX_VALUE));
    }
    return (int) number;
  }

  private static long whole(String field, String text) {
    if (!text.matches("[0-9]{1,15}")) {
      throw new IllegalArgumentException(
          "'%s' is %s, not a whole number".formatted(field, Quote.of(text)));
    }
    return Long.parseLong(text);
  }

  private static Set<String> ignored(TextMessage config) {
    Set<String> names = new TreeSet<>(config.told(SCHEMA));
    names.removeAll(KNOWN_FROM_THE_MODEL);
    names.removeAll(APPLIED);
    names.addAll(others(config, "dynamic_batching", OF_BATCHING));
    names.addAll(others(config, "instance_group", OF_GROUPS));
    names.addAll(others(config, "input", OF_TENSORS));
    names.addAll(others(config, "output", OF_TENSORS));
    return names;
  }

  private static Set<String> others(TextMessage config, String field, Set<String> applied) {
    Descriptor schema = SCHEMA.findFieldByName(field).getMessageType();
    return config.messages(field).stream()
        .flatMap(message -> message.told(schema).stream())
        .filter(name -> !applied.contains(name))
        .map(name -> field + "." + name)
        .collect(Collectors.toSet());
  }
}
