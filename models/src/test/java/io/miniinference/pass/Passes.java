package io.miniinference.pass;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import java.util.Optional;

/// Passes over graphs as text, for tests that show a before and an after.
public final class Passes {
  private Passes() {}

  /// Lines of a graph's body, through a pass.
  public static String apply(Pass pass, String body) {
    Graph before = GraphCheck.check(GraphText.parse("graph \"g\" {\n" + body + "}\n"));
    String after = GraphText.print(GraphCheck.check(pass.apply(before)));
    return after
        .lines()
        .filter(line -> line.startsWith("  "))
        .map(line -> line.substring(2) + "\n")
        .reduce("", String::concat);
  }

  public static Optional<List<Tensor>> evaluate(Node node, List<Tensor> inputs) {
    try {
      return Optional.of(Interpreter.results(node, inputs, Long.MAX_VALUE));
    } catch (DataFailure e) {
      return Optional.empty();
    }
  }
}
