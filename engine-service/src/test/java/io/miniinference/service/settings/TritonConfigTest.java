package io.miniinference.service.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import io.miniinference.service.shapes.TensorBlock;
import io.miniinference.service.shapes.TensorBlocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TritonConfigTest {
  private static final String DENSENET =
      """
      name: "densenet_onnx"   # the folder's name
      platform: "onnxruntime_onnx"
      max_batch_size : 16
      input [
        { name: "data_0" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, 224, 224 ]
          reshape { shape: [ 1, 3, 224, 224 ] } }
      ]
      output [
        {
          name: "fc6_1"
          data_type: TYPE_FP32
          dims: [ 1000 ]
          label_filename: "densenet_labels.txt"
        }
      ]
      instance_group [ { count: 2 kind: KIND_CPU }, { count: 1; gpus: [ 0 ] } ]
      dynamic_batching {
        preferred_batch_size: [ 4, 8 ],
        max_queue_delay_microseconds: 100
        default_priority_level: 3
      }
      version_policy: { specific { versions: [1, 3] } }
      optimization { execution_accelerators { gpu_execution_accelerator : [ { name : 'tensorrt' } ] } }
      """;

  @Test
  void whatAppliesIsReadAndTheRestIsNamed() {
    TritonConfig config = TritonConfig.parse("config.pbtxt", DENSENET);

    assertThat(config.settings())
        .isEqualTo(
            new ModelSettings(
                Map.of(),
                "",
                16,
                3,
                null,
                "1,3",
                Duration.ofNanos(100_000),
                3,
                Map.of(),
                Map.of(),
                null,
                Map.of("fc6_1", "densenet_labels.txt")));
    assertThat(config.ignored())
        .containsExactly(
            "dynamic_batching.preferred_batch_size", "instance_group.gpus", "optimization");
  }

  @ParameterizedTest
  @CsvSource({
    "'version_policy { latest { num_versions: 2 } }', latest:2",
    "'version_policy < latest < > >', latest:1",
    "'version_policy: { all { } }', all",
  })
  void versionsAreChosenAsTritonDoes(String text, String versions) {
    assertThat(TritonConfig.parse("config.pbtxt", text).settings().versions()).isEqualTo(versions);
  }

  @Test
  void tensorsAreReadWithTheirTwoShapes() {
    TritonConfig config = TritonConfig.parse("config.pbtxt", DENSENET);

    assertThat(config.tensors())
        .isEqualTo(
            new TensorBlocks(
                true,
                List.of(
                    new TensorBlock(
                        "data_0",
                        "TYPE_FP32",
                        List.of(3L, 224L, 224L),
                        List.of(1L, 3L, 224L, 224L))),
                List.of(new TensorBlock("fc6_1", "TYPE_FP32", List.of(1000L), null))));
  }

  @Test
  void whatIsSetToWhatItIsAnywayIsNotNamed() {
    TritonConfig config =
        TritonConfig.parse(
            "config.pbtxt",
            """
            response_cache { enable: false } model_transaction_policy { decoupled: true }
            input { name: 'x' optional: false is_shape_tensor: true } sequence_batching { }
            """);

    assertThat(config.ignored())
        .containsExactlyInAnyOrder(
            "input.is_shape_tensor", "model_transaction_policy", "sequence_batching");
  }

  @Test
  void theModelsFileIsNamed() {
    TritonConfig config = TritonConfig.parse("config.pbtxt", "default_model_filename: 'a.bin'");

    assertThat(config.fileName()).isEqualTo("a.bin");
    assertThat(config.ignored()).isEmpty();
  }

  @Test
  void noBatchingSaysNothingOfTheBatch() {
    TritonConfig config = TritonConfig.parse("config.pbtxt", "max_batch_size: 0");

    assertThat(config.settings()).isEqualTo(ModelSettings.none());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name: \"x | line 1: its end where the end of a text was to be",
        "input [ { name: \"x\" ] | line 1: ']' where the name of a field was to be",
        "max_batch_size 3 | '3' where ':' was to be",
        "max_batch_size: -1 | max_batch_size is '-1': say how large a batch may be, or 0 for a model",
        "max_batchsize: 3 | 'max_batchsize' is no field of a model configuration; the nearest is 'max_batch_size'",
        "dynamic_batching { max_queue_delay_us: 3 } | 'dynamic_batching.max_queue_delay_us' is no field of a"
            + " model configuration; the nearest is 'dynamic_batching.max_queue_delay_microseconds'",
        "[a.b] { } | '[a.b]' is no field of a model configuration",
        "input { name: 'x' data_type: FP32 } | 'input.data_type' is 'FP32', which is no such value; the nearest"
            + " is 'TYPE_FP32'",
        "optimization { graph { level: high } } | 'optimization.graph.level' is 'high', not a whole number",
        "optimization { graph { level: 9999999999 } } | 'optimization.graph.level' is 9999999999, not from -2",
        "parameters { key: 'a' value: 'b' } | 'parameters.value' is 'b', not a message",
        "instance_group { passive: 2 } | 'instance_group.passive' is '2', not true or false",
        "model_warmup: 3 | 'model_warmup' is '3', not a message",
        "input { name: 'x' dims: 0 } | dims of 'x' is [0]: sizes are 1 or more, or -1",
        "input { name: 'x' dims: -2 } | 'dims' is '-2', not a whole number",
        "input { name: 'x' reshape { } } | 'x' has reshape and no dims",
        "max_batch_size: \"4\" | 'max_batch_size' is the text \"4\", not a value without quotes",
        "max_batch_size: 4 max_batch_size: 4 | 'max_batch_size' is set 2 times: leave one",
        "max_batch_size: 99999999999 | 'max_batch_size' is 99999999999, not from 0 to 2147483647",
        "input { name: 'x' data_type: TYPE_FLOAT } | no such value; there are 'TYPE_INVALID',",
        "max_batch_size: 70000 | max-batch-size is 70000",
        "} | '}' where the name of a field was to be",
        "instance_group { count: 99999999999999999999 } | not a whole number",
      })
  void whatIsWrongIsToldWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> TritonConfig.parse("net/config.pbtxt", text))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("net/config.pbtxt")
        .hasMessageContaining(message);
  }

  @Test
  void messagesLieOnlySoDeepWithinEachOther() {
    assertThatThrownBy(() -> TritonConfig.parse("config.pbtxt", "a{".repeat(10_000)))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("at most 32 messages");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyTextIsReadOrRefused(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      String text = mutated(random);
      try {
        assertThat(TritonConfig.parse("config.pbtxt", text).ignored()).isNotNull();
      } catch (SettingsException e) {
        assertThat(e).as("seed %d: %s", seed, text).hasMessageContaining("config.pbtxt");
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isBetween(1, 4_999);
  }

  private static String mutated(RandomGenerator random) {
    var text = new StringBuilder(DENSENET);
    String signs = "{}[]<>:;,\"'\\#\n 0a_-";
    for (int i = 0; i <= random.nextInt(3); i++) {
      int at = random.nextInt(text.length());
      text.setCharAt(at, signs.charAt(random.nextInt(signs.length())));
    }
    return text.toString();
  }
}
