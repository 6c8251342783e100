package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.index;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.movement.ShapeOps;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Einsum: operands are brought to one order of labels, then multiplied and summed pair by pair, as
/// a matrix product where two operands share summed labels ([ONNX
/// Einsum](https://onnx.ai/onnx/operators/onnx__Einsum.html)).
///
/// Labels are letters; the axes of an ellipsis are the characters from `FIRST_BROADCAST` on.
final class EinsumRule {
  private static final char FIRST_BROADCAST = '\u2460';

  private final OpContext c;
  private final Map<Character, Affine> extents = new HashMap<>();

  /// A value and the label of each of its axes.
  private record Labelled(Value value, List<Character> labels) {}

  private EinsumRule(OpContext c) {
    this.c = c;
  }

  static Value lower(OpContext c) {
    return new EinsumRule(c).run(c.attrString("equation").replace(" ", ""));
  }

  private Value run(String equation) {
    int arrow = equation.indexOf("->");
    String[] terms = (arrow < 0 ? equation : equation.substring(0, arrow)).split(",", -1);
    if (terms.length != c.inputs()) {
      throw LoweringFault.of("has equation '%s' for %d inputs".formatted(equation, c.inputs()));
    }
    var operands = new ArrayList<Labelled>();
    int broadcast = 0;
    for (int i = 0; i < terms.length; i++) {
      List<Character> labels = labels(terms[i], c.rank(i), equation);
      broadcast = Math.max(broadcast, c.rank(i) - terms[i].replace(".", "").length());
      operands.add(diagonal(new Labelled(c.in(i), labels)));
      operands.getLast().labels.forEach(label -> note(label, operands.getLast()));
    }
    List<Character> output =
        arrow < 0
            ? implied(terms)
            : labels(
                equation.substring(arrow + 2),
                equation.substring(arrow + 2).replace(".", "").length()
                    + (equation.endsWith(".") || equation.substring(arrow).contains(".")
                        ? broadcast
                        : 0),
                equation);
    return contract(operands, output);
  }

  /// Labels of a term; an ellipsis stands for the axes that the letters leave.
  private static List<Character> labels(String term, int rank, String equation) {
    int letters = term.replace(".", "").length();
    var labels = new ArrayList<Character>();
    int hidden = rank - letters;
    boolean ellipsis = term.contains("...");
    if (hidden < 0 || (hidden > 0 && !ellipsis)) {
      throw LoweringFault.of(
          "has equation '%s', whose term '%s' does not fit rank %d"
              .formatted(equation, term, rank));
    }
    for (int i = 0; i < term.length(); i++) {
      if (term.startsWith("...", i)) {
        for (int axis = 0; axis < hidden; axis++) {
          labels.add((char) (FIRST_BROADCAST + hidden - 1 - axis));
        }
        i += 2;
      } else {
        labels.add(term.charAt(i));
      }
    }
    return labels;
  }

  /// Without an arrow: the ellipsis, then the labels that occur once, by alphabet.
  private List<Character> implied(String[] terms) {
    var counts = new TreeMap<Character, Integer>();
    for (String term : terms) {
      term.replace(".", "").chars().forEach(l -> counts.merge((char) l, 1, Integer::sum));
    }
    var result = new ArrayList<Character>();
    extents.keySet().stream()
        .filter(l -> l >= FIRST_BROADCAST)
        .sorted((a, b) -> b - a)
        .forEach(result::add);
    counts.forEach((label, count) -> addIf(count == 1, label, result));
    return result;
  }

  private static void addIf(boolean wanted, char label, List<Character> to) {
    if (wanted) {
      to.add(label);
    }
  }

  private void note(char label, Labelled operand) {
    Affine extent = operand.value.type().dim(operand.labels.indexOf(label));
    Affine earlier = extents.putIfAbsent(label, extent);
    if (earlier == null || earlier.equals(extent) || extent.equals(Affine.ONE)) {
      return;
    }
    if (!earlier.equals(Affine.ONE)) {
      throw LoweringFault.of("has sizes %s and %s for one label".formatted(earlier, extent));
    }
    extents.put(label, extent);
  }

  /// The elements where axes of one label have one index.
  private Labelled diagonal(Labelled operand) {
    Set<Character> distinct = new LinkedHashSet<>(operand.labels);
    if (distinct.size() == operand.labels.size()) {
      return operand;
    }
    List<Character> kept = List.copyOf(distinct);
    List<Expr> coordinates = new ArrayList<>();
    operand.labels.forEach(l -> coordinates.add(index(kept.indexOf(l))));
    List<Affine> shape =
        kept.stream().map(l -> operand.value.type().dim(operand.labels.indexOf(l))).toList();
    Value value = c.compute(at(0, coordinates), shape, operand.value);
    return new Labelled(value, kept);
  }

  private Value contract(List<Labelled> operands, List<Character> output) {
    Labelled result = operands.getFirst();
    for (int i = 1; i < operands.size(); i++) {
      Set<Character> later = new LinkedHashSet<>(output);
      operands.subList(i + 1, operands.size()).forEach(o -> later.addAll(o.labels));
      result = product(result, operands.get(i), later);
    }
    return arranged(summed(result, new LinkedHashSet<>(output)), output);
  }

  /// Sums over the labels that nobody needs any more.
  private Labelled summed(Labelled x, Set<Character> needed) {
    var axes = new ArrayList<Integer>();
    var kept = new ArrayList<Character>();
    for (int axis = 0; axis < x.labels.size(); axis++) {
      if (needed.contains(x.labels.get(axis))) {
        kept.add(x.labels.get(axis));
      } else {
        axes.add(axis);
      }
    }
    return axes.isEmpty()
        ? x
        : new Labelled(c.reduce(ReduceKind.SUM, axes, false, Ex.x(), x.value), kept);
  }

  /// A batched matrix product: labels of both that are needed, then each operand's own, those of
  /// both that are not needed are summed.
  private Labelled product(Labelled a, Labelled b, Set<Character> needed) {
    Labelled left = summed(a, union(needed, b.labels));
    Labelled right = summed(b, union(needed, a.labels));
    var batch = new ArrayList<Character>();
    var inner = new ArrayList<Character>();
    var rows = new ArrayList<Character>();
    for (char label : left.labels) {
      boolean shared = right.labels.contains(label);
      (shared ? needed.contains(label) ? batch : inner : rows).add(label);
    }
    List<Character> columns = right.labels.stream().filter(l -> !left.labels.contains(l)).toList();
    Value x = grouped(left, batch, rows, inner);
    Value y = grouped(right, batch, inner, columns);
    var labels = new ArrayList<>(batch);
    labels.addAll(rows);
    labels.addAll(columns);
    Value product = c.matMul(x, y, false, false);
    return new Labelled(c.reshape(product, sizes(labels)), labels);
  }

  private static Set<Character> union(Set<Character> a, List<Character> b) {
    var all = new LinkedHashSet<>(a);
    all.addAll(b);
    return all;
  }

  private List<Affine> sizes(List<Character> labels) {
    return labels.stream().map(l -> extents.getOrDefault(l, Affine.ONE)).toList();
  }

  /// `x` as `[batch…, rows, columns]`, each of the last two one axis.
  private Value grouped(
      Labelled x, List<Character> batch, List<Character> rows, List<Character> columns) {
    var order = new ArrayList<>(batch);
    order.addAll(rows);
    order.addAll(columns);
    Value arranged = c.expand(arranged(x, order), sizes(order));
    List<Affine> shape = new ArrayList<>(sizes(batch));
    shape.add(ShapeOps.product(sizes(rows)));
    shape.add(ShapeOps.product(sizes(columns)));
    return c.reshape(arranged, shape);
  }

  /// `x` with its axes in the order of `labels`.
  private Value arranged(Labelled x, List<Character> labels) {
    if (labels.size() != x.labels.size() || !x.labels.containsAll(labels)) {
      throw LoweringFault.of("has output labels that its inputs do not have");
    }
    return c.transpose(x.value, labels.stream().map(l -> x.labels.indexOf(l)).toList());
  }
}
