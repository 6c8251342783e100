package io.miniinference.ops;

import io.miniinference.ir.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The ONNX operators that can be imported: rows by family, found by name and opset version ([ONNX
/// operators](https://onnx.ai/onnx/operators/)).
public final class OpTable {
  private static final OpTable TABLE = build();

  private final Map<String, TreeMap<Long, OpRow>> rows = new HashMap<>();

  private OpTable() {}

  private static OpTable build() {
    var table = new OpTable();
    MathOps.addTo(table);
    ActivationOps.addTo(table);
    LogicOps.addTo(table);
    CastOps.addTo(table);
    ReduceOps.addTo(table);
    TopKOps.addTo(table);
    ShapeOps.addTo(table);
    MovementOps.addTo(table);
    PadOps.addTo(table);
    ResizeOps.addTo(table);
    GatherOps.addTo(table);
    ScatterOps.addTo(table);
    LossOps.addTo(table);
    ConstantOps.addTo(table);
    MatMulOps.addTo(table);
    ConvOps.addTo(table);
    PoolOps.addTo(table);
    NormOps.addTo(table);
    QuantOps.addTo(table);
    AttentionRule.addTo(table);
    ControlOps.addTo(table);
    return table;
  }

  /// Names of all operators in the table.
  public static SortedSet<String> names() {
    return new TreeSet<>(TABLE.rows.keySet());
  }

  /// The row of an operator at an opset version, if there is one.
  static Optional<OpRow> find(String domain, String op, long opset) {
    String name = domain.isEmpty() || domain.equals("ai.onnx") ? op : domain + "." + op;
    var versions = TABLE.rows.get(name);
    var entry = versions == null ? null : versions.floorEntry(opset);
    return Optional.ofNullable(entry).map(Map.Entry::getValue);
  }

  /// Adds an operator of one output; [OpRow#of] has the notation.
  OpTable row(
      String name, int since, String inputs, String attributes, Function<OpContext, Value> rule) {
    return rows(name, since, inputs, attributes, c -> List.of(rule.apply(c)));
  }

  /// Adds an operator of several outputs.
  OpTable rows(String name, int since, String inputs, String attributes, Rule rule) {
    OpRow row = OpRow.of(name, since, inputs, attributes, rule);
    OpRow earlier = rows.computeIfAbsent(name, k -> new TreeMap<>()).put((long) since, row);
    if (earlier != null) {
      throw new IllegalStateException(name + " has two rows since " + since);
    }
    return this;
  }
}
