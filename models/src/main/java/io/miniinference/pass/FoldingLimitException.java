package io.miniinference.pass;

import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import java.util.stream.Collectors;

/// Folding would hold more constants than there is memory for.
public final class FoldingLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String node;
  private final long resultBytes;
  private final long limitBytes;

  FoldingLimitException(Node node, long resultBytes, long heldBytes, long limitBytes) {
    super(
        "node '%s' (%s): folding its constant result %s needs %d bytes besides %d already folded, and the limit is %d; a pool of larger capacity (engine.pool.capacity) raises it, or compute the value from an input"
            .formatted(node.name(), node.onnxOp(), text(node), resultBytes, heldBytes, limitBytes));
    this.node = node.name();
    this.resultBytes = resultBytes;
    this.limitBytes = limitBytes;
  }

  private static String text(Node node) {
    return node.outputs().stream().map(Value::toString).collect(Collectors.joining(", "));
  }

  public String node() {
    return node;
  }

  /// Bytes of the result that did not fit.
  public long resultBytes() {
    return resultBytes;
  }

  public long limitBytes() {
    return limitBytes;
  }
}
