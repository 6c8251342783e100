package io.miniinference.ops.node;

import io.miniinference.ir.Value;
import io.miniinference.onnx.OnnxNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Operators that can be imported: rows found by name and opset version ([ONNX
/// operators](https://onnx.ai/onnx/operators/)).
public final class OpTable {
  private final Map<String, TreeMap<Long, OpRow>> rows;
  private final boolean joinsCounted;

  public OpTable() {
    this(new HashMap<>(), false);
  }

  private OpTable(Map<String, TreeMap<Long, OpRow>> rows, boolean joinsCounted) {
    this.rows = rows;
    this.joinsCounted = joinsCounted;
  }

  /// This table, to which operators are added that may join what lies along a counted axis, and
  /// know how ([OpRow#joinsCounted]).
  public OpTable joining() {
    return new OpTable(rows, true);
  }

  /// The row of a node's operator at its version, if there is one.
  public Optional<OpRow> row(OnnxNode node) {
    return find(node.domain(), node.opType(), node.opset());
  }

  /// The row of an operator at an opset version, if there is one.
  private Optional<OpRow> find(String domain, String op, long opset) {
    String name = domain.isEmpty() || domain.equals("ai.onnx") ? op : domain + "." + op;
    var versions = rows.get(name);
    var entry = versions == null ? null : versions.floorEntry(opset);
    return Optional.ofNullable(entry).map(Map.Entry::getValue);
  }

  /// Adds an operator of one output; [OpRow#of] has the notation.
  public OpTable row(
      String name, int since, String inputs, String attributes, Function<OpContext, Value> rule) {
    return rows(name, since, inputs, attributes, c -> List.of(rule.apply(c)));
  }

  /// Adds an operator of several outputs.
  public OpTable rows(String name, int since, String inputs, String attributes, Rule rule) {
    OpRow plain = OpRow.of(name, since, inputs, attributes, rule);
    OpRow row = joinsCounted ? plain.joining() : plain;
    OpRow earlier = rows.computeIfAbsent(name, k -> new TreeMap<>()).put((long) since, row);
    if (earlier != null) {
      throw new IllegalStateException(name + " has two rows since " + since);
    }
    return this;
  }
}
