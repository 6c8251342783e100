package io.miniinference.runtime.specialise;

import io.miniinference.ir.Graph;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.ops.NegativeSizeException;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.RequestFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What is told of a request for which its model cannot be compiled.
///
/// @param model its name
/// @param mostBytes of all values of a graph together, above which nothing of it runs on the host
/// @param maxIterations most iterations of all its loops together
record RequestFaults(String model, long mostBytes, int maxIterations) {

  /// What a request asks for that the model cannot do.
  ///
  /// @param what its shapes and values
  InvalidRequestException cannotRun(String what, Exception why) {
    return new InvalidRequestException(
        "model '%s' cannot run inputs of %s: %s".formatted(model, what, inALine(why)));
  }

  /// As above, of sizes that were named without a request.
  InvalidRequestException cannotPrepare(Map<String, Long> sizes, ModelException why) {
    return new InvalidRequestException(
        "model '%s' cannot be prepared for %s: %s"
            .formatted(model, new TreeMap<>(sizes), inALine(why)));
  }

  private static String inALine(Exception why) {
    return switch (why) {
      case ModelException model ->
          model.problems().stream().map(Problem::toString).collect(Collectors.joining("; "));
      case ArithmeticException size -> Affine.fault(size);
      default -> String.valueOf(why.getMessage());
    };
  }

  /// A size is not known either if what it follows from fails, which is then what is told. Reasons
  /// of the open batch, which knows whose row that is, come first.
  RuntimeException refusal(RequestValues values, List<ModelException> reasons) {
    return reasons.stream()
        .map(reason -> failures(reason, values.request()))
        .filter(failures -> !failures.isEmpty())
        .findFirst()
        .<RuntimeException>map(RequestFailedException::new)
        .orElseGet(() -> cannotRun(values.toString(), reasons.getLast()));
  }

  /* What of a request fails, if that is why the model cannot be compiled for it. */
  private List<FailureReport> failures(ModelException reason, InferenceRequest request) {
    return switch (reason) {
      case NegativeSizeException negative -> failures(negative, request);
      case NeedsSpecialisation unknown -> failures(unknown.earlier(), request);
      default -> List.of();
    };
  }

  /// The size fails the run; what fails ahead of it is told first.
  List<FailureReport> failures(NegativeSizeException e, InferenceRequest request) {
    List<FailureReport> failures = new ArrayList<>(failures(e.earlier(), request));
    if (failures.stream().allMatch(failure -> failure.row() != null)) {
      failures.add(FailureReport.of(e.size()));
    }
    return failures;
  }

  private List<FailureReport> failures(Optional<Graph> earlier, InferenceRequest request) {
    return earlier
        .map(graph -> EarlierFailures.of(graph, request, mostBytes, maxIterations))
        .orElse(List.of());
  }
}
