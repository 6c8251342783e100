package io.miniinference.codegen;

import io.miniinference.ir.Graph;
import io.miniinference.ir.text.GraphText;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// One small graph for each of the main kernels.
final class GoldenKernels {
  private static final Map<String, String> GRAPHS = new LinkedHashMap<>();

  /// The graph that is one step where the writer has a form for that.
  private static final String WHOLE = "whole_network";

  static {
    add(
        "conv",
        """
        input %x: f32[N,3,8,8]
        const %w: f32[32,3,3,3] = large 0
        const %b: f32[32,1,1] = [%ZEROS]
        %y: f32[N,32,8,8] = conv(%x, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue(%b) { max(a0 + a1, 0.0) }
        """
            .replace("%ZEROS", "0, ".repeat(31) + "0"));
    add(
        "conv_winograd",
        """
        input %x: f32[N,64,8,8]
        const %w: f32[64,64,3,3] = large 0
        %y: f32[N,64,8,8] = conv(%x, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue { max(a0, 0.0) }
        """);
    add(
        "conv_strips",
        """
        input %x: f32[N,3,128,128]
        const %w: f32[64,3,3,3] = large 0
        const %v: f32[64,1,7,7] = large 1
        %h: f32[N,64,128,128] = conv(%x, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue { max(a0, 0.0) }
        %y: f32[N,64,128,128] = conv(%h, %v) {kernel=[7,7], padsBegin=[3,3], padsEnd=[3,3], groups=64}
        %z: f32[N,64,128,128] = conv(%y, %v) {kernel=[7,7], padsBegin=[3,3], padsEnd=[3,3], groups=64}
        """);
    add(
        "conv_patches",
        """
        input %x: f32[N,16,28,28]
        const %w: f32[12,16,3,3] = large 0
        const %v: f32[48,12,5,5] = large 1
        %h: f32[N,12,28,28] = conv(%x, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue { max(a0, 0.0) }
        %y: f32[N,48,28,28] = conv(%h, %v) {kernel=[5,5], padsBegin=[2,2], padsEnd=[2,2]}
        %z: f32[N,48,28,28] = pool_max(%y) {kernel=[1,1]}
        """);
    add(
        "conv_to_few",
        """
        input %x: f32[N,16,8,20]
        const %w: f32[1,16,3,3] = large 0
        const %t: f32[16,3,4,4] = large 1
        %y: f32[N,1,8,20] = conv(%x, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue { max(a0, 0.0) }
        %z: f32[N,3,16,40] = conv_transpose(%x, %t) {kernel=[4,4], strides=[2,2], padsBegin=[1,1], padsEnd=[1,1]}
        """);
    add(
        "conv_pointwise",
        """
        input %x: f32[N,32,4,4]
        const %w: f32[16,32,1,1] = large 0
        %y: f32[N,16,4,4] = conv(%x, %w) {kernel=[1,1]}
        """);
    add(
        "conv_depthwise",
        """
        input %x: f32[N,16,6,6]
        const %v: f32[16,16,1,1] = large 0
        const %w: f32[16,1,3,3] = large 0
        %h: f32[N,16,6,6] = conv(%x, %v) {kernel=[1,1]}
        %d: f32[N,16,6,6] = conv(%h, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1], groups=16}
        %y: f32[N,16,6,6] = conv(%d, %v) {kernel=[1,1]}
        """);
    add(
        "conv_grouped",
        """
        input %x: f32[N,136,6,6]
        const %w: f32[136,34,3,3] = large 0
        %y: f32[N,136,4,4] = conv(%x, %w) {kernel=[3,3], groups=4}
        """);
    add(
        "conv_of_doubles",
        """
        input %x: f64[N,4,6,6]
        const %w: f64[6,2,3,3] = large 0
        %y: f64[N,6,4,4] = conv(%x, %w) {kernel=[3,3], groups=2}
        """);
    add(
        "conv_transpose",
        """
        input %x: f32[N,6,4,4]
        const %w: f32[6,16,3,3] = large 0
        %y: f32[N,16,9,9] = conv_transpose(%x, %w) {kernel=[3,3], strides=[2,2]}
        """);
    add(
        "matmul_weight",
        """
        input %x: f32[N,24]
        const %w: f32[24,40] = large 0
        %y: f32[N,40] = matmul(%x, %w)
        """);
    add(
        "matmul_few_rows",
        """
        input %x: f32[N,8,64]
        const %w: f32[64,32] = large 0
        input %r: f32[N,8,32]
        %y: f32[N,8,32] = matmul(%x, %w) epilogue(%r) { max(a0 + a1, 0.0) }
        """);
    add(
        "matmul_batched",
        """
        input %a: f32[N,4,33,20]
        input %b: f32[N,4,20,65]
        %y: f32[N,4,33,65] = matmul(%a, %b)
        """);
    add(
        "matmul_gathered",
        """
        input %i: i64[N,5]
        const %t: f32[9,24] = large 0
        const %w: f32[24,32] = large 0
        %g: f32[N,5,24] = gather(%t, %i) {axis=0}
        %y: f32[N,5,32] = matmul(%g, %w)
        """);
    add(
        "pool_max",
        """
        input %x: f32[N,16,8,8]
        const %w: f32[16,16,1,1] = large 0
        %h: f32[N,16,8,8] = conv(%x, %w) {kernel=[1,1]}
        %p: f32[N,16,4,4] = pool_max(%h) {kernel=[2,2], strides=[2,2]}
        %y: f32[N,16,4,4] = conv(%p, %w) {kernel=[1,1]}
        """);
    add(
        "pool_average",
        """
        input %x: f64[N,3,7]
        %y: f64[N,3,3] = pool_average(%x) {kernel=[3], strides=[2]}
        """);
    add(
        "elementwise",
        """
        input %a: f32[N,8,12]
        input %b: f32[12]
        %y: f32[N,8,12] = elementwise(%a, %b) { max(a0 * a1, 0.0) }
        """);
    add(
        "elementwise_run",
        """
        input %x: f32[N,4,50]
        input %b: f32[4,1]
        input %s: f32[50]
        %y: f32[N,4,50] = elementwise(%x, %b, %s) { max(a0 + a1, 0.0) * exp(a2) }
        """);
    add(
        "elementwise_division",
        """
        input %a: i64[N,6]
        input %b: i64[N,6]
        %y: i64[N,6] = elementwise(%a, %b) { a0 / a1 }
        """);
    add(
        "reduce_sum",
        """
        input %x: f32[N,6,96]
        %y: f32[N,6] = reduce_sum(%x) {axes=[2]}
        """);
    add(
        "reduce_arg_max",
        """
        input %x: f32[N,100]
        %y: i64[N] = reduce_arg_max(%x) {axes=[1]}
        """);
    add(
        "attention",
        """
        input %q: f32[N,4,40,24]
        input %k: f32[N,4,70,24]
        input %v: f32[N,4,70,48]
        input %m: f32[N,1,1,70]
        %y: f32[N,4,40,48] = attention(%q, %k, %v, %m) {rowsOfKeys=true, scale=0.25}
        """);
    add(
        "recurrent",
        """
        input %x: f32[10,N,160]
        input %l: i32[1,N,1]
        const %r: f32[160,40] = large 0
        %y: f32[10,N,40] = recurrent_lstm(%x, %r, %l) {backwards=true, given=[lengths], parts=[states]} functions { reciprocal(1.0 + exp(neg(a0))) } { tanh(a0) } { tanh(a0) }
        """);
    add(
        "recurrent_steps",
        """
        input %x: f32[10,N,840]
        const %r: f32[840,210] = large 0
        %y: f32[10,N,210] = recurrent_lstm(%x, %r) {backwards=false, parts=[states]} functions { reciprocal(1.0 + exp(neg(a0))) } { tanh(a0) } { tanh(a0) }
        """);
    add(
        "softmax",
        """
        input %x: f32[N,300]
        %y: f32[N,300] = softmax(%x) {axis=1}
        """);
    add(
        "normalize",
        """
        input %x: f32[N,4,64]
        %y: f32[N,4,64] = normalize(%x) {axes=[2], epsilon=1.0E-5}
        """);
    add(
        "scan_sum",
        """
        input %x: f32[N,12]
        %y: f32[N,12] = scan_sum(%x) {axis=1}
        """);
    add(
        "gather",
        """
        input %x: f32[7,12]
        input %i: i64[N,3]
        %y: f32[N,3,12] = gather(%x, %i) {axis=0}
        """);
    add(
        "scatter",
        """
        input %x: f32[N,8,4]
        input %i: i64[5,1]
        input %u: f32[5,8,4]
        %y: f32[N,8,4] = scatter_nd(%x, %i, %u)
        """);
    add(
        "scatter_many",
        """
        input %x: f32[900,4]
        input %i: i64[300,1]
        input %u: f32[300,4]
        %y: f32[900,4] = scatter_nd(%x, %i, %u)
        """);
    add(
        "non_max_suppression",
        """
        input %s: f32[N,2,300]
        input %b: f32[N,300,4]
        input %o: f32[1]
        input %l: f32[1]
        %y: i64[N,2,40] = non_max_suppression(%s, %b, %o, %l) {k=40}
        """);
  }

  static {
    add(
        WHOLE,
        """
        input %x: f32[N,1,12,12]
        const %w: f32[8,1,5,5] = large 0
        const %v: f32[6,8,3,3] = large 1
        const %m: f32[54,10] = large 2
        %h: f32[N,8,12,12] = conv(%x, %w) {kernel=[5,5], padsBegin=[2,2], padsEnd=[2,2]} epilogue { max(a0, 0.0) }
        %p: f32[N,8,6,6] = pool_max(%h) {kernel=[2,2], strides=[2,2]}
        %c: f32[N,6,6,6] = conv(%p, %v) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue { max(a0, 0.0) }
        %a: f32[N,6,3,3] = pool_average(%c) {kernel=[3,3], strides=[2,2], padsBegin=[1,1], padsEnd=[1,1]}
        %f: f32[N,54] = reshape(%a)
        %s: f32[N,10] = matmul(%f, %m)
        %y: f32[N,10] = softmax(%s) {axis=1}
        """);
  }

  private GoldenKernels() {}

  private static void add(String name, String body) {
    GRAPHS.put(name, whole(name, body));
  }

  private static String whole(String name, String body) {
    String rowwise = name.equals(WHOLE) ? " rowwise" : "";
    return "graph \"" + name + "\" {\n" + body + "output %y" + rowwise + "\n}\n";
  }

  static List<String> names() {
    return List.copyOf(GRAPHS.keySet());
  }

  static Graph graph(String name) {
    return GraphText.parse(Objects.requireNonNull(GRAPHS.get(name), name));
  }

  /// The text of the kernels for a graph, unplanned: every array in a block of its own.
  static String text(String name, Target<?> writer) {
    return text(graph(name), writer);
  }

  /// The same for a graph whose result is `%y`.
  ///
  /// @param body its nodes as text
  static String textOf(String body, Target<?> writer) {
    return text(GraphText.parse(whole("kernel", body)), writer);
  }

  private static String text(Graph graph, Target<?> writer) {
    LoweredProgram program = Lowering.lower(graph, writer, List.of());
    LoweredProgram written =
        graph.name().equals(WHOLE) ? writer.asOneStep(program).orElse(program) : program;
    return writer.generate(written).code().source();
  }
}
