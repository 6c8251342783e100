package io.miniinference.onnx;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/// The order of nodes in which each comes behind those that make what it reads.
///
/// The standard has files list their nodes so
/// ([IR](https://onnx.ai/onnx/repo-docs/IR.html#graphs)). Tools that put constants behind their
/// readers, or edit graphs, write them otherwise, and other runtimes sort them. Of nodes that may
/// come next the file's first does, so that a list in order stays as it is. What is in a cycle, or
/// follows from one, comes last, as the file has it.
final class NodeOrder {
  private NodeOrder() {}

  /// A graph in order.
  ///
  /// @param read names that it takes from the graphs around it
  private record Body(GraphProto graph, Set<String> read) {}

  /// The graph with its nodes in order, and with those of all bodies in it.
  static GraphProto of(GraphProto graph) {
    return body(graph).graph();
  }

  /// The nodes of a function in order, and those of all bodies in them.
  static List<NodeProto> of(List<NodeProto> nodes) {
    return sorted(nodes, new ArrayList<>());
  }

  private static Body body(GraphProto graph) {
    List<Set<String>> reads = new ArrayList<>();
    List<NodeProto> nodes = sorted(graph.getNodeList(), reads);
    Set<String> read = new HashSet<>();
    reads.forEach(read::addAll);
    graph.getOutputList().forEach(output -> read.add(output.getName()));
    graph.getInputList().forEach(input -> read.remove(input.getName()));
    graph.getInitializerList().forEach(tensor -> read.remove(tensor.getName()));
    graph.getSparseInitializerList().forEach(it -> read.remove(it.getValues().getName()));
    nodes.forEach(node -> node.getOutputList().forEach(read::remove));
    boolean same = nodes == graph.getNodeList();
    return new Body(same ? graph : graph.toBuilder().clearNode().addAllNode(nodes).build(), read);
  }

  /* The very list if it is in order already. `reads` takes what each node reads, in the file's
  order. */
  private static List<NodeProto> sorted(List<NodeProto> file, List<Set<String>> reads) {
    List<NodeProto> nodes = new ArrayList<>();
    boolean same = true;
    for (NodeProto node : file) {
      Set<String> read = new LinkedHashSet<>(node.getInputList());
      nodes.add(withBodies(node, read));
      reads.add(read);
      same &= nodes.getLast() == node;
    }
    List<Set<Integer>> sources = sources(file, reads);
    if (isInOrder(sources)) {
      return same ? file : nodes;
    }
    return order(sources).stream().map(nodes::get).toList();
  }

  /* The node with its bodies in order; what they read joins what the node reads. */
  private static NodeProto withBodies(NodeProto node, Set<String> read) {
    NodeProto ordered = node;
    for (int i = 0; i < node.getAttributeCount(); i++) {
      AttributeProto attribute = node.getAttribute(i);
      if (!attribute.hasG()) {
        continue;
      }
      Body body = body(attribute.getG());
      read.addAll(body.read());
      if (body.graph() != attribute.getG()) {
        ordered =
            ordered.toBuilder().setAttribute(i, attribute.toBuilder().setG(body.graph())).build();
      }
    }
    return ordered;
  }

  /* By node, the places of those that make what it reads. */
  private static List<Set<Integer>> sources(List<NodeProto> nodes, List<Set<String>> reads) {
    Map<String, Integer> makers = new HashMap<>();
    for (int k = 0; k < nodes.size(); k++) {
      for (String output : nodes.get(k).getOutputList()) {
        makers.putIfAbsent(output, k);
      }
    }
    makers.remove("");
    List<Set<Integer>> sources = new ArrayList<>();
    for (Set<String> read : reads) {
      Set<Integer> from = new LinkedHashSet<>();
      for (String name : read) {
        Integer maker = makers.get(name);
        if (maker != null) {
          from.add(maker);
        }
      }
      sources.add(from);
    }
    return sources;
  }

  private static boolean isInOrder(List<Set<Integer>> sources) {
    for (int k = 0; k < sources.size(); k++) {
      int place = k;
      if (sources.get(k).stream().anyMatch(source -> source >= place)) {
        return false;
      }
    }
    return true;
  }

  private static List<Integer> order(List<Set<Integer>> sources) {
    List<List<Integer>> readers = readers(sources);
    int[] missing = sources.stream().mapToInt(Set::size).toArray();
    var ready = new PriorityQueue<Integer>();
    for (int k = 0; k < missing.length; k++) {
      if (missing[k] == 0) {
        ready.add(k);
      }
    }
    Set<Integer> order = new LinkedHashSet<>();
    for (Integer next = ready.poll(); next != null; next = ready.poll()) {
      order.add(next);
      for (int reader : readers.get(next)) {
        if (--missing[reader] == 0) {
          ready.add(reader);
        }
      }
    }
    for (int k = 0; k < missing.length; k++) {
      order.add(k); // those of cycles
    }
    return List.copyOf(order);
  }

  private static List<List<Integer>> readers(List<Set<Integer>> sources) {
    List<List<Integer>> readers = new ArrayList<>();
    sources.forEach(_ -> readers.add(new ArrayList<>()));
    for (int k = 0; k < sources.size(); k++) {
      for (int source : sources.get(k)) {
        readers.get(source).add(k);
      }
    }
    return readers;
  }
}
