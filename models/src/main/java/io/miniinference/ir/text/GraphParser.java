package io.miniinference.ir.text;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads what [GraphPrinter] writes.
final class GraphParser {
  private final TextCursor in;
  private final List<Value> inputs = new ArrayList<>();
  private final List<Value> outputs = new ArrayList<>();
  private final List<Boolean> rowwise = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Value, Tensor> constants = new LinkedHashMap<>();
  private final Map<String, Value> values = new HashMap<>();

  GraphParser(String text) {
    this(new TextCursor(text));
  }

  private GraphParser(TextCursor in) {
    this.in = in;
  }

  Graph parse() {
    Graph graph = body();
    if (!in.atEnd()) {
      throw in.error("expected nothing after the graph");
    }
    return graph;
  }

  private Graph body() {
    in.expect("graph");
    String name = in.quoted();
    in.expect("{");
    while (!in.accept("}")) {
      statement();
    }
    return new Graph(name, inputs, outputs, nodes, constants, rowwise);
  }

  private void statement() {
    if (in.acceptWord("input")) {
      inputs.add(definition());
    } else if (in.acceptWord("const")) {
      constant();
    } else if (in.acceptWord("output")) {
      outputs.add(use());
      rowwise.add(in.acceptWord("rowwise"));
    } else if (in.lookingAt("%")) {
      node();
    } else {
      throw in.error("expected input, const, output, a node or '}'");
    }
  }

  private void constant() {
    Value value = definition();
    in.expect("=");
    int start = in.position();
    if (in.acceptWord("large")) {
      in.word("a digest");
      constants.put(value, in.attempt(start, () -> TensorText.zeros(value.type())));
      return;
    }
    List<String> literals = AttributeParser.list(in);
    constants.put(value, in.attempt(start, () -> TensorText.parse(value.type(), literals)));
  }

  private void node() {
    int start = in.position();
    List<Value> outputs = results();
    in.expect("=");
    int opStart = in.position();
    String opName = in.word("an operator");
    List<Value> inputs = uses();
    int operands = inputs.size();
    Op op = op(opName, opStart, outputs.getFirst().type());
    Expr epilogue = null;
    if (in.acceptWord("epilogue")) {
      inputs.addAll(in.lookingAt("(") ? uses() : List.of());
      epilogue = expression();
    }
    boolean origin = in.acceptWord("from");
    String nodeName = origin ? in.quoted() : outputs.getFirst().name();
    String onnxOp = origin ? in.quoted() : opName;
    outputs.forEach(v -> define(start, v));
    nodes.add(new Node(nodeName, onnxOp, op, epilogue, operands, inputs, outputs));
  }

  private List<Value> results() {
    List<Value> results = new ArrayList<>();
    do {
      String name = name();
      in.expect(":");
      results.add(new Value(name, type()));
    } while (in.accept(","));
    return results;
  }

  private Op op(String name, int start, TensorType result) {
    OpParser parser = new OpParser(in, result);
    return switch (name) {
      case "if", "loop", "iteration" -> parser.control(name, () -> new GraphParser(in).body());
      default -> parser.parse(name, start);
    };
  }

  private Expr expression() {
    in.expect("{");
    Expr expr = new ExprParser(in).parse();
    in.expect("}");
    return expr;
  }

  private List<Value> uses() {
    List<Value> result = new ArrayList<>();
    in.expect("(");
    if (in.accept(")")) {
      return result;
    }
    do {
      result.add(use());
    } while (in.accept(","));
    in.expect(")");
    return result;
  }

  private Value use() {
    int start = in.position();
    String name = name();
    Value value = values.get(name);
    if (value == null) {
      throw in.errorAt(start, "%" + name + " is not defined above");
    }
    return value;
  }

  private Value definition() {
    int start = in.position();
    String name = name();
    in.expect(":");
    return define(start, new Value(name, type()));
  }

  private Value define(int start, Value value) {
    if (values.putIfAbsent(value.name(), value) != null) {
      throw in.errorAt(start, "%" + value.name() + " is defined twice");
    }
    return value;
  }

  private String name() {
    in.expect("%");
    return in.lookingAt("\"") ? in.quoted() : in.run(GraphPrinter::isPlain, "a name");
  }

  private TensorType type() {
    int start = in.position();
    String word = in.word("an element type");
    ElementType element =
        ElementType.parse(word)
            .orElseThrow(() -> in.errorAt(start, "'" + word + "' is no element type"));
    int shapeStart = in.position();
    List<String> dims = AttributeParser.list(in);
    return in.attempt(
        shapeStart, () -> new TensorType(element, dims.stream().map(Affine::parse).toList()));
  }
}
