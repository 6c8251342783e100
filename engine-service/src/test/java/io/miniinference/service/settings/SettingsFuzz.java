package io.miniinference.service.settings;

import io.miniinference.service.config.SettingsException;
import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// What is set for a model. The first byte of an input says which: a `config.pbtxt` of Triton's,
/// the configuration of a load in JSON, or else a `model.yaml`. What cannot be understood is
/// refused with the name of where it was.
public final class SettingsFuzz implements FuzzTarget {
  private static final char TRITON = 'T';
  private static final char JSON = 'J';

  private final Path file;

  public SettingsFuzz() throws IOException {
    file = Files.createTempFile("settings-fuzz", ".txt");
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of(
            """
            Tname: "net" platform: 'onnxruntime_onnx' max_batch_size: 32
            input [ { name: "x" data_type: TYPE_FP32 dims: [ -1, 3 ] } ]
            output { name: "y" dims: 3 label_filename: "labels.txt" }
            instance_group [ { count: 2 kind: KIND_CPU }, { count: 1 } ]
            dynamic_batching { max_queue_delay_microseconds: 100 default_priority_level: 2 }
            """,
            "Tversion_policy: { latest < num_versions: 2 > } # a comment\n",
            "Tversion_policy { specific: { versions: [1, 3] } } parameters { key: 'a' }",
            """
            Ymax-batch-size: 32
            max-delay: 2ms
            instances: 3
            priority: 1
            required: false
            versions: [1, 3]
            dimensions: {sequence: 128}
            bounds: {height: 1024}
            prepare:
              - {batch: 1, sequence: 128}
            labels: {probabilities: labels.txt}
            """,
            """
            J{"maxBatchSize": 8, "input": [{"name": "x", "dims": ["-1", 3], "reshape": {"shape": []}}],
            "instance_group": [{"count": 2}], "versionPolicy": {"latest": {"numVersions": 2}}, "a": null}
            """,
            "Yprepare: batch=1,sequence=128; batch=8\nversions: latest:2\n",
            "Ya: &a [1]\nb: *a\n? !!int 3\n: |\n  text\n")
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    Files.write(file, input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length));
    char kind = input.length == 0 ? ' ' : (char) input[0];
    String shown = kind == JSON ? "the parameter config" : SettingsFile.shown(file);
    try {
      SettingsFile.text(file).ifPresent(text -> read(kind, shown, text));
      return true;
    } catch (SettingsException e) {
      String message = String.valueOf(e.getMessage());
      if (!message.contains(shown) && !message.contains(SettingsFile.shown(file))) {
        throw new AssertionError("a refusal without the file's name", e);
      }
      return false;
    }
  }

  private static void read(char kind, String shown, String text) {
    switch (kind) {
      case TRITON -> TritonConfig.parse(shown, text).settings().preparedShapes();
      case JSON -> TritonConfig.ofJson(text).settings().preparedShapes();
      default -> ModelYaml.parse(shown, text).versionPolicy();
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
