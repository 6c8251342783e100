package io.miniinference.pass;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Computes once what two nodes compute alike. The first one stays, so that the first failure is
/// still its own; a node that makes an output stays too, since outputs keep their names. Nodes with
/// bodies are not compared. Small constants of equal content are one.
public final class CommonSubexpressions implements Pass {
  /// Largest constant whose content is compared.
  private static final long SMALL_BYTES = 1024;

  private record Key(Op op, @Nullable Expr epilogue, int operands, List<Value> inputs) {}

  /* Bytes are equal if their content is. */
  private record Content(TensorType type, ByteBuffer bytes) {}

  @Override
  public Graph apply(Graph graph) {
    Set<Value> outputs = new HashSet<>(graph.outputs());
    Map<Key, List<Value>> seen = new HashMap<>();
    Map<Value, Value> replaced = equalConstants(graph);
    List<Node> kept = new ArrayList<>();
    for (Node original : graph.nodes()) {
      Node node = Rewrite.inputs(original, replaced);
      if (node.op() instanceof Op.Control) {
        kept.add(node);
        continue;
      }
      Key key = new Key(node.op(), node.epilogue(), node.operands(), node.inputs());
      List<Value> first = seen.putIfAbsent(key, node.outputs());
      if (first == null || node.outputs().stream().anyMatch(outputs::contains)) {
        kept.add(node);
      } else {
        for (int i = 0; i < first.size(); i++) {
          replaced.put(node.outputs().get(i), first.get(i));
        }
      }
    }
    return Rewrite.nodes(graph, kept);
  }

  /* The first of equal ones for each of the others. */
  private static Map<Value, Value> equalConstants(Graph graph) {
    Map<Content, Value> first = new HashMap<>();
    Map<Value, Value> replaced = new HashMap<>();
    graph
        .constants()
        .forEach((value, tensor) -> {
          if (tensor.data().byteSize() <= SMALL_BYTES && tensor.table() == null) {
            var content =
                new Content(value.type(), ByteBuffer.wrap(tensor.data().toArray(JAVA_BYTE)));
            Value earlier = first.putIfAbsent(content, value);
            if (earlier != null) {
              replaced.put(value, earlier);
            }
          }
        });
    return replaced;
  }
}
