package io.miniinference.onnx;

import io.miniinference.onnx.wire.NodeProto;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The rule for operator sets before version 7 of the default domain.
///
/// Version 7 gave the arithmetic operators today's broadcasting; before it many operators had other
/// inputs and attributes. A model of an earlier version is accepted only where all its operators
/// are still what version 7 has.
public final class OldOpsets {
  /// The oldest version whose operators are known.
  public static final long OLDEST = 7;

  /// By version, the operators that version 7 has as that one defined them
  /// ([changelog](https://onnx.ai/onnx/repo-docs/Changelog.html)).
  private static final Map<Long, Set<String>> AS_SINCE =
      Map.of(
          1L,
          Set.of(
              "ArgMax",
              "ArgMin",
              "AveragePool",
              "Constant",
              "Conv",
              "ConvTranspose",
              "DepthToSpace",
              "Flatten",
              "Gather",
              "GlobalAveragePool",
              "GlobalMaxPool",
              "Hardmax",
              "Identity",
              "If",
              "LRN",
              "LogSoftmax",
              "Loop",
              "LpNormalization",
              "MatMul",
              "MaxPool",
              "MaxRoiPool",
              "Not",
              "RandomNormal",
              "RandomNormalLike",
              "RandomUniform",
              "RandomUniformLike",
              "ReduceL1",
              "ReduceL2",
              "ReduceLogSum",
              "ReduceLogSumExp",
              "ReduceMax",
              "ReduceMean",
              "ReduceMin",
              "ReduceProd",
              "ReduceSum",
              "ReduceSumSquare",
              "Shape",
              "Size",
              "Slice",
              "Softmax",
              "Softplus",
              "Softsign",
              "SpaceToDepth",
              "Squeeze",
              "TopK",
              "Transpose",
              "Unsqueeze"),
          2L,
          Set.of("GlobalLpPool", "LpPool", "Pad", "Split"),
          4L,
          Set.of("Concat"),
          5L,
          Set.of("Reshape"),
          6L,
          Set.of(
              "Abs",
              "Cast",
              "Ceil",
              "Clip",
              "Elu",
              "Exp",
              "Floor",
              "HardSigmoid",
              "InstanceNormalization",
              "LeakyRelu",
              "Log",
              "Max",
              "Mean",
              "Min",
              "Neg",
              "Reciprocal",
              "Relu",
              "Selu",
              "Sigmoid",
              "Sqrt",
              "Sum",
              "Tanh",
              "Tile"));

  private OldOpsets() {}

  /// Notes the operators of the default domain that cannot be used at the version imported.
  static void check(
      String where, Map<String, Long> opsets, List<NodeProto> nodes, Problems problems) {
    long version = opsets.getOrDefault("", OLDEST);
    if (version < 1 || version >= OLDEST) {
      return;
    }
    Set<String> changed = new TreeSet<>();
    collect(nodes, version, changed);
    if (!changed.isEmpty()) {
      problems.add(where, complaint(version, changed));
    }
  }

  private static void collect(List<NodeProto> nodes, long version, Set<String> changed) {
    for (NodeProto node : nodes) {
      if (Domains.canonical(node.getDomain()).isEmpty() && !isSame(node.getOpType(), version)) {
        changed.add(Quote.of(node.getOpType()));
      }
      node.getAttributeList().forEach(body -> collect(body.getG().getNodeList(), version, changed));
    }
  }

  private static boolean isSame(String operator, long version) {
    return AS_SINCE.entrySet().stream()
        .anyMatch(since -> since.getKey() <= version && since.getValue().contains(operator));
  }

  private static String complaint(long version, Set<String> changed) {
    String shown = String.join(", ", changed.stream().limit(10).toList());
    return "uses opset %d, but %s%s changed up to opset %d, the oldest supported; convert the model with onnx.version_converter"
        .formatted(version, shown, changed.size() > 10 ? " and others" : "", OLDEST);
  }
}
