package io.miniinference.engine;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Copies a request's outputs out of staging, by name.
final class OutputReader implements ResponseReader<Map<String, Tensor>> {
  private final List<TensorSpec> outputs;
  private final StringTable strings;
  private @Nullable Map<String, Tensor> failed;

  /// @param strings those of the request
  OutputReader(Model model, StringTable strings) {
    outputs = model.outputs();
    this.strings = strings;
  }

  @Override
  public Map<String, Tensor> read(List<Output> staged) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (int i = 0; i < staged.size(); i++) {
      tensors.put(outputs.get(i).name(), copy(outputs.get(i), staged.get(i)));
    }
    return Collections.unmodifiableMap(tensors);
  }

  private Tensor copy(TensorSpec output, Output staged) {
    StringTable table = output.isOfStrings() ? strings : null;
    return new Tensor(output.element(), staged.shape(), staged.data(), table).copy();
  }

  @Override
  public void failed(List<Output> staged, List<FailureReport> failures) {
    failed = read(staged);
  }

  /// The outputs of a request that failed.
  ///
  /// @throws RequestFailedException the given one, if it failed before there were any
  Map<String, Tensor> ofFailed(RequestFailedException e) {
    if (failed == null) {
      throw e;
    }
    return failed;
  }
}
