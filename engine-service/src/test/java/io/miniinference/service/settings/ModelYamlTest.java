package io.miniinference.service.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.lower.Precision;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModelYamlTest {

  @Test
  void everySettingHasItsKey() {
    ModelSettings settings =
        ModelYaml.parse(
            "model.yaml",
            """
            max-batch-size: 32
            max-delay: 2ms
            instances: 3
            priority: 1
            required: false
            versions: [1, 3]
            dimensions: {sequence: 128}
            bounds: {height: 1024}
            padding: {width: 16}
            precision: bf16
            prepare:
              - {batch: 1, sequence: 128}
              - {batch: 8, sequence: 64}
              - {sequence: 16..512/16, width: 1..8}
            labels: {probabilities: labels.txt}
            """);

    assertThat(settings)
        .isEqualTo(
            new ModelSettings(
                Map.of("sequence", 128L),
                "batch=1,sequence=128;batch=8,sequence=64;sequence=16..512/16,width=1..8",
                32,
                3,
                false,
                "1,3",
                Duration.ofMillis(2),
                1,
                Map.of("height", 1024L),
                Map.of("width", 16L),
                Precision.BF16,
                Map.of("probabilities", "labels.txt")));
  }

  @Test
  void anEmptyFileSetsNothing() {
    assertThat(ModelYaml.parse("model.yaml", "# later\n")).isEqualTo(ModelSettings.none());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "max-batch: 3 | unknown key 'max-batch'; the nearest is 'max-batch-size'",
        "instnaces: 3 | the nearest is 'instances'",
        "maxBatchSize: 3 | the nearest is 'max-batch-size'",
        "colour: 3 | unknown key 'colour'; there are 'bounds', 'dimensions',",
        "instances: '2' | 'instances' is \"2\", not a whole number: leave out its quotes",
        "max-delay: -2ms | max-delay is -2ms, less than 0",
        "max-batch-size: many | 'max-batch-size' is many, not a whole number",
        "max-batch-size: 0 | max-batch-size is 0, not from 1 to 65536",
        "required: 1 | 'required' is 1, not true or false",
        "max-delay: soon | 'soon' is not a valid duration",
        "precision: f8 | 'precision' is f8, not one of f32, direct, tf32, f16, bf16",
        "versions: newest | versions is 'newest'",
        "dimensions: 3 | 'dimensions' is 3, not a mapping",
        "dimensions: {a: 0.5} | 'dimensions.a' is 0.5, not a whole number",
        "padding: {a: 1} | padding.a is 1, not 2 or more",
        "prepare: x | prepare has 'x'",
        "prepare: [{a: x}] | prepare has 'a=x'",
        "prepare: [{a: 0.5}] | 'prepare.a' is 0.5, not a whole number",
        "prepare: [{a: 1..9999}] | more than 4,096 shapes",
        "a list | is not a mapping",
        "{{{{{{{{{{1: 1}}}}}}}}}} | is not YAML",
        "._: 3 | is not YAML",
        "!!java.net.URL [x] | is not YAML",
      })
  void whatIsWrongIsToldWithTheFileAndTheKey(String text, String message) {
    assertThatThrownBy(() -> ModelYaml.parse("net/model.yaml", text))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("net/model.yaml")
        .hasMessageContaining(message);
  }

  @Test
  void aKeyThatComesTwiceIsRefused() {
    assertThatThrownBy(() -> ModelYaml.parse("model.yaml", "instances: 1\ninstances: 2\n"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("duplicate key");
  }

  @Test
  void aliasesDoNotGrow() {
    var bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertThatThrownBy(() -> ModelYaml.parse("model.yaml", bomb.toString()))
        .isInstanceOf(SettingsException.class);
  }

  @Test
  void whatPropertiesSetGoesBeforeTheFile() {
    ModelSettings file = ModelYaml.parse("model.yaml", "instances: 3\nbounds: {a: 1, b: 2}");
    ModelSettings properties = ModelYaml.parse("properties", "bounds: {b: 5}\npriority: 7");

    ModelSettings both = properties.over(file);

    assertThat(both.instances()).isEqualTo(3);
    assertThat(both.priority()).isEqualTo(7);
    assertThat(both.bounds()).isEqualTo(Map.of("a", 1L, "b", 5L));
    assertThat(List.of(both.prepare())).containsExactly("");
  }
}
