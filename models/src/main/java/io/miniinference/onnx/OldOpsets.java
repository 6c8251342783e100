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

  /// Operators that version 1 defines as version 7 does
  /// ([changelog](https://onnx.ai/onnx/repo-docs/Changelog.html)).
  private static final Set<String> SAME_SINCE_1 =
      Set.of(
          "ArgMax",
          "ArgMin",
          "Constant",
          "Conv",
          "ConvTranspose",
          "DepthToSpace",
          "Flatten",
          "Gather",
          "GlobalAveragePool",
          "GlobalMaxPool",
          "Identity",
          "If",
          "LRN",
          "LogSoftmax",
          "Loop",
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
          "Unsqueeze");

  private OldOpsets() {}

  /// Notes the operators of the default domain that cannot be used at the version imported.
  static void check(
      String where, Map<String, Long> opsets, List<NodeProto> nodes, Problems problems) {
    long version = opsets.getOrDefault("", OLDEST);
    if (version < 1 || version >= OLDEST) {
      return;
    }
    Set<String> changed = new TreeSet<>();
    collect(nodes, changed);
    if (!changed.isEmpty()) {
      problems.add(where, complaint(version, changed));
    }
  }

  private static void collect(List<NodeProto> nodes, Set<String> changed) {
    for (NodeProto node : nodes) {
      if (Domains.canonical(node.getDomain()).isEmpty()
          && !SAME_SINCE_1.contains(node.getOpType())) {
        changed.add(Quote.of(node.getOpType()));
      }
      node.getAttributeList().forEach(body -> collect(body.getG().getNodeList(), changed));
    }
  }

  private static String complaint(long version, Set<String> changed) {
    String shown = String.join(", ", changed.stream().limit(10).toList());
    return "uses opset %d, but %s%s changed up to opset %d, the oldest supported; convert the model with onnx.version_converter"
        .formatted(version, shown, changed.size() > 10 ? " and others" : "", OLDEST);
  }
}
