package io.miniinference.lower.steps;

import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Movement;
import java.util.List;

/// Views whose elements, few over and over, are each needed by itself, since a Scatter writes over
/// some: in the graph of the view, or in a body that captures it.
final class WrittenOver {
  private WrittenOver() {}

  /// @param users who reads the view
  static boolean isSo(Node view, List<Node> users) {
    boolean repeats = view.op() instanceof Op.View(Movement map) && map instanceof Movement.Expand;
    return repeats && isData(view.output(), users);
  }

  private static boolean isData(Value value, List<Node> users) {
    return users.stream().anyMatch(user -> isData(value, user));
  }

  private static boolean isData(Value value, Node user) {
    return user.op() instanceof Op.Control control
        ? isDataInside(value, user, control)
        : user.op() instanceof Op.Scatter && user.inputs().getFirst().equals(value);
  }

  private static boolean isDataInside(Value value, Node user, Op.Control control) {
    for (int k = control.firstCaptured(); k < user.inputs().size(); k++) {
      int input = k - control.shift();
      boolean captures = user.inputs().get(k).equals(value);
      if (captures
          && control.bodies().stream()
              .anyMatch(body -> isData(body.inputs().get(input), body.nodes()))) {
        return true;
      }
    }
    return false;
  }
}
