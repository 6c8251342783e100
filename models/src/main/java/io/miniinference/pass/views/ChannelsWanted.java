package io.miniinference.pass.views;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Movement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The values of a graph with channels last that are wanted channels first: a transpose makes them
/// so, they are summed up over all spatial axes, or what is computed of them element by element is
/// wanted so. Those that matrix products or sums over channels read are not, as in ConvNeXt.
record ChannelsWanted(Graph graph) {

  Set<Value> values() {
    Set<Value> wanted = new HashSet<>();
    for (Node node : graph.nodes().reversed()) {
      if (!node.inputs().isEmpty() && wants(node, wanted)) {
        int rank = node.inputs().getFirst().type().rank();
        node.inputs().stream().filter(it -> it.type().rank() == rank).forEach(wanted::add);
      }
    }
    return wanted;
  }

  private static boolean wants(Node node, Set<Value> wanted) {
    return switch (node.op()) {
      case Op.View(Movement.Transpose transpose) -> isFirst(transpose);
      case Op.Reduce reduce ->
          ChannelsFirst.isSpatial(reduce, node.inputs().getFirst().type().rank());
      case Op.Elementwise _, Op.Concat _, Op.View(Movement.Slice _) ->
          node.outputs().stream().anyMatch(wanted::contains);
      default -> false;
    };
  }

  private static boolean isFirst(Movement.Transpose transpose) {
    List<Integer> permutation = transpose.permutation();
    return permutation.size() > 2
        && transpose.equals(ChannelsFirst.last(permutation.size()).inverse());
  }
}
