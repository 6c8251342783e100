package io.miniinference.runtime.specialise;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.NodeKernel;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.steps.FailurePoints;
import io.miniinference.pass.TidyBodies;
import io.miniinference.pass.pipeline.Pipeline;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What fails in a request ahead of a size that the host found to be negative, or could not know
/// because of that failure: nothing of such a request runs on a device, so that the part of the
/// model before that size runs here, and the report is the first in order of execution on every
/// device.
final class EarlierFailures {
  private final Map<Node, FailurePoint> points;
  private final Map<Long, Found> firsts = new HashMap<>();
  private int turns;

  /* `turn` of its node. */
  private record Found(int turn, FailureReport report) {}

  private EarlierFailures(Graph graph) {
    points = FailurePoints.in(graph);
  }

  /// The first failure of each row, and of the run, in order of execution.
  ///
  /// @param whole what may fail
  /// @param request to it
  /// @param most bytes of all values of the graph together, above which nothing runs
  /// @param maxIterations most iterations of all its loops together
  static List<FailureReport> of(
      Graph whole, InferenceRequest request, long most, long maxIterations) {
    Graph graph = Pipeline.of(new TidyBodies()).apply(whole);
    List<Tensor> inputs = inputs(graph, request);
    if (bytes(graph, Interpreter.batchSize(graph, inputs)) > most) {
      return List.of();
    }
    var failures = new EarlierFailures(graph);
    var mode = new Interpreter.Mode(NodeKernel::of, failures::sink, maxIterations);
    try {
      Interpreter.run(graph, inputs, mode);
    } catch (DataFailure e) {
      // too many iterations: what failed before them stays
    }
    return FailureReport.upToSize(
        failures.firsts.values().stream()
            .sorted(Comparator.comparingInt(Found::turn).thenComparingLong(f -> f.report.linear()))
            .map(Found::report)
            .toList());
  }

  private static List<Tensor> inputs(Graph graph, InferenceRequest request) {
    List<Tensor> inputs = new ArrayList<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      Value input = graph.inputs().get(i);
      Tensor tensor = AlignedMemory.tensor(input.type().element(), request.shapes().get(i));
      request.writer().write(i, tensor.data());
      inputs.add(tensor);
    }
    return inputs;
  }

  /* Of all values of the graph and its bodies, each once. */
  private static double bytes(Graph graph, long n) {
    return graph.nodes().stream()
        .mapToDouble(node -> {
          double own = node.outputs().stream().mapToDouble(value -> bytes(value, n)).sum();
          return node.op() instanceof Op.Control control
              ? own + control.bodies().stream().mapToDouble(body -> bytes(body, n)).sum()
              : own;
        })
        .sum();
  }

  private static double bytes(Value value, long n) {
    double bytes = value.type().element().bytes();
    for (long extent : value.type().shapeAt(n)) {
      bytes *= extent;
    }
    return bytes;
  }

  private FailureSink sink(Node node, long iteration) {
    return new Recorder(turns++, node, iteration);
  }

  private final class Recorder implements FailureSink {
    private final int turn;
    private final Node node;
    private final @Nullable FailurePoint point;
    private final long iteration;

    Recorder(int turn, Node node, long iteration) {
      this.turn = turn;
      this.node = node;
      this.point = points.get(node);
      this.iteration = iteration;
    }

    @Override
    public void index(long row, long position, long index, long low, long high, int axis) {
      add(row, position, axis, index, low, high, FailureReport.INDEX_OUT_OF_BOUNDS);
    }

    @Override
    public void divisionByZero(long row, long position) {
      add(row, position, null, null, 0, 0, FailureReport.DIVISION_BY_ZERO);
    }

    private void add(
        long row,
        long position,
        @Nullable Integer axis,
        @Nullable Long index,
        long low,
        long high,
        String kind) {
      boolean isOfRow = row != NO_ROW;
      add(
          row,
          new FailureReport(
              node.name(),
              node.onnxOp(),
              axis,
              index,
              low,
              high,
              position,
              isOfRow && point != null ? point.positionsPerRow() : 0,
              isOfRow ? (int) row : null,
              iteration == NO_ITERATION ? null : (int) iteration,
              kind));
    }

    private void add(long row, FailureReport report) {
      Found first = firsts.get(row);
      if (first == null || (first.turn == turn && report.linear() < first.report.linear())) {
        IndexBounds.Size size = point == null ? null : point.size();
        firsts.put(row, new Found(turn, size == null ? report : report.asSize(size)));
      }
    }
  }
}
