package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.service.verify.DataRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options `--dim` and `--data`: sizes of a model that its file leaves open.
final class SizesOption {
  @Option(
      names = "--dim",
      paramLabel = "NAME=V",
      description =
          "value of an input symbol; of the batch, too, where rows of a request are not apart")
  private Map<String, Long> dims = new LinkedHashMap<>();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "a data set that gives sizes, and values where sizes depend on them")
  private @Nullable Path data;

  Map<String, Long> dimensions() {
    return dims;
  }

  LoadOptions of(OnnxModel model) {
    LoadOptions options = LoadOptions.defaults().withDimensions(dims);
    Path folder = data;
    return folder == null
        ? options
        : options.forData(DataRun.inputs(model, Folders.existing(folder)));
  }
}
