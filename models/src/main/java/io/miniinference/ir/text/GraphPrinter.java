package io.miniinference.ir.text;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.OpNames;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.List;
import java.util.stream.Collectors;

/// Writes a graph as [GraphText] describes.
final class GraphPrinter {
  private static final String INDENT = "  ";

  private final Graph graph;
  private final String margin;
  private final StringBuilder out = new StringBuilder();

  GraphPrinter(Graph graph) {
    this(graph, "");
  }

  /// @param margin what each line but the first starts with
  private GraphPrinter(Graph graph, String margin) {
    this.graph = graph;
    this.margin = margin;
  }

  String print() {
    return body() + "\n";
  }

  private String body() {
    out.append("graph ").append(TextCursor.quote(graph.name())).append(" {\n");
    graph.inputs().forEach(v -> line("input " + typed(v)));
    graph.constants().forEach((v, t) -> line("const " + typed(v) + " = " + TensorText.print(t)));
    graph.nodes().forEach(node -> line(node(node)));
    for (int i = 0; i < graph.outputs().size(); i++) {
      boolean rowwise = graph.rowwise().get(i);
      line("output " + name(graph.outputs().get(i)) + (rowwise ? " rowwise" : ""));
    }
    return out.append(margin).append("}").toString();
  }

  private void line(String text) {
    out.append(margin).append(INDENT).append(text).append('\n');
  }

  private String node(Node node) {
    return node.outputs().stream().map(GraphPrinter::typed).collect(Collectors.joining(", "))
        + " = "
        + OpNames.of(node.op())
        + "("
        + names(node.operandValues())
        + ")"
        + attributes(node.op())
        + bodies(node.op())
        + epilogue(node)
        + origin(node);
  }

  private String bodies(Op op) {
    return op instanceof Op.Control control
        ? control.bodies().stream()
            .map(body -> " " + new GraphPrinter(body, margin + INDENT).body())
            .collect(Collectors.joining())
        : "";
  }

  private static String epilogue(Node node) {
    Expr epilogue = node.epilogue();
    if (epilogue == null) {
      return "";
    }
    String extra = node.epilogueValues().isEmpty() ? "" : "(" + names(node.epilogueValues()) + ")";
    return " epilogue" + extra + " { " + ExprText.print(epilogue) + " }";
  }

  private static String origin(Node node) {
    boolean plain =
        node.name().equals(node.outputs().getFirst().name())
            && node.onnxOp().equals(OpNames.of(node.op()));
    return plain
        ? ""
        : " from " + TextCursor.quote(node.name()) + " " + TextCursor.quote(node.onnxOp());
  }

  private static String attributes(Op op) {
    AttributeText a = new AttributeText();
    switch (op) {
      case Op.Elementwise elementwise -> {
        return " { " + ExprText.print(elementwise.expr()) + " }";
      }
      case Op.Reduce reduce -> {
        a.put("axes", reduce.axes()).unless(false, "keep", reduce.keepDims());
        boolean plain = reduce.map().equals(new Expr.Arg(0));
        return a + (plain ? "" : " map { " + ExprText.print(reduce.map()) + " }");
      }
      case Op.View view -> view(view.map(), a);
      case Op.Concat concat -> a.put("axis", concat.axis());
      case Op.Gather gather -> bounds(gather.bounds(), selection(gather.selection(), a));
      case Op.Scatter scatter ->
          selection(scatter.selection(), a)
              .unless("replace", "kind", ExprText.lower(scatter.kind()));
      case Op.MatMul matMul ->
          a.unless(false, "transposeA", matMul.transposeA())
              .unless(false, "transposeB", matMul.transposeB())
              .unless(false, "exact", matMul.exact());
      case Op.Conv conv ->
          a.window(conv.window())
              .unless(1, "groups", conv.groups())
              .unless(false, "exact", conv.exact());
      case Op.ConvTranspose conv ->
          a.window(conv.window())
              .unless(1, "groups", conv.groups())
              .unless(
                  AttributeText.all(conv.outputPads().size(), 0), "outputPads", conv.outputPads());
      case Op.Attention attention ->
          a.unless(false, "rowsOfKeys", attention.rowsOfKeys())
              .put("scale", attention.scale())
              .unless("nan", "blind", ExprText.lower(attention.blind()));
      case Op.WindowReduce pool -> a.window(pool.window()).unless(false, "ceil", pool.ceilMode());
      case Op.Softmax softmax -> a.put("axis", softmax.axis());
      case Op.Normalize normalize ->
          a.put("axes", normalize.axes())
              .put("epsilon", normalize.epsilon())
              .unless(true, "centered", normalize.centered());
      case Op.Recurrent layer -> {
        layer.attributes().forEach(a::put);
        return a + functions(layer.cell().functions());
      }
      case Op.Positional rows -> rows.attributes().forEach(a::put);
      case Op.If _ -> {}
      case Op.Loop loop ->
          a.put("carried", loop.carried()).unless(Affine.ZERO, "iterations", loop.iterations());
      case Op.Iteration iteration -> a.put("number", iteration.number());
    }
    return a.toString();
  }

  private static String functions(List<Expr> functions) {
    return functions.stream()
        .map(function -> " { " + ExprText.print(function) + " }")
        .collect(Collectors.joining("", " functions", ""));
  }

  private static AttributeText selection(Selection selection, AttributeText a) {
    return switch (selection) {
      case Selection.Slices(int axis) -> a.put("axis", axis);
      case Selection.Elements(int axis) -> a.put("axis", axis);
      case Selection.Tuples(int batchDims) -> a.unless(0, "batchDims", batchDims);
    };
  }

  private static void bounds(IndexBounds bounds, AttributeText a) {
    if (bounds.trusted()) {
      a.put("trusted", true);
      return;
    }
    a.unless(true, "fromEnd", bounds.fromEnd());
    if (bounds.ignored() != null) {
      a.put("ignored", bounds.ignored());
    }
    if (bounds.size() != null) {
      a.put("sizeOf", bounds.size().axis()).put("sizeAt", bounds.size().position());
    }
  }

  /* Shapes and extents are those of the result's type. */
  private static void view(Movement map, AttributeText a) {
    switch (map) {
      case Movement.Reshape _, Movement.Expand _ -> {}
      case Movement.Transpose transpose -> a.put("permutation", transpose.permutation());
      case Movement.Slice slice -> {
        boolean fromZero = slice.starts().stream().allMatch(Affine::isZero);
        boolean dense = slice.steps().stream().allMatch(s -> s == 1);
        a.unless(fromZero ? slice.starts() : "", "starts", slice.starts())
            .unless(dense ? slice.steps() : "", "steps", slice.steps());
      }
    }
  }

  private static String names(List<Value> values) {
    return values.stream().map(GraphPrinter::name).collect(Collectors.joining(", "));
  }

  private static String typed(Value value) {
    return name(value) + ": " + value.type();
  }

  private static String name(Value value) {
    String name = value.name();
    boolean plain = !name.isEmpty() && name.chars().allMatch(GraphPrinter::isPlain);
    return "%" + (plain ? name : TextCursor.quote(name));
  }

  static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "_./#$@-".indexOf(c) >= 0;
  }
}
