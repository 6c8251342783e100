package io.miniinference.service.catalog;

import io.miniinference.ir.CodedType;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Quote;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/// Refuses models with inputs or outputs of types that clients cannot name: the Open Inference
/// Protocol has none for floats of 8 and 4 bits and integers of 4 and 2.
public final class Datatypes {
  private Datatypes() {}

  /// @throws ModelException with all inputs and outputs of such types
  static void check(Signature signature) {
    List<Problem> problems = of(signature.inputs(), signature.outputs());
    if (!problems.isEmpty()) {
      throw new ModelException(signature.model(), 0, problems);
    }
  }

  /// What is wrong with inputs and outputs of such types.
  public static List<Problem> of(List<TensorSpec> inputs, List<TensorSpec> outputs) {
    List<Problem> problems = new ArrayList<>();
    inputs.forEach(spec -> check("input", spec, problems));
    outputs.forEach(spec -> check("output", spec, problems));
    return problems;
  }

  private static void check(String role, TensorSpec spec, List<Problem> problems) {
    spec.coded()
        .filter(type -> !type.hasV2Name())
        .map(type -> problem(role, spec, type))
        .ifPresent(problems::add);
  }

  private static Problem problem(String role, TensorSpec spec, CodedType type) {
    return new Problem(
        role + " " + Quote.of(spec.name()),
        "is of type %s, for which the Open Inference Protocol V2 has no name: cast it inside of the network, to FLOAT or INT8"
            .formatted(type.name()));
  }
}
