package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.analysis.Rowwise;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/// Passes one after the other, with [GraphCheck] after each.
public record Pipeline(List<Pass> passes) {
  public Pipeline {
    passes = List.copyOf(passes);
  }

  public static Pipeline of(Pass... passes) {
    return new Pipeline(List.of(passes));
  }

  /// What every model goes through between import and lowering.
  ///
  /// @param foldedBytes most that folding may hold, the pool's capacity
  /// @param fusion what the lowering target takes
  public static Pipeline standard(Evaluator evaluator, long foldedBytes, FusionOptions fusion) {
    SimplifyExpressions simplify = new SimplifyExpressions(evaluator);
    return of(
        new FoldConstants(evaluator, foldedBytes),
        new TidyBodies(),
        simplify,
        new RemoveIdentities(),
        new TrustIndices(),
        new CommonSubexpressions(),
        new DeadCode(),
        new FuseElementwise(fusion),
        simplify,
        new RemoveIdentities(),
        new DeadCode(),
        new TidyBodies());
  }

  /// The graph after all passes. An output counts as rowwise if it was or is now seen to be: a pass
  /// changes no meaning, but may make it easier to see.
  ///
  /// @throws IllegalStateException if a pass breaks a rule of [GraphCheck], naming the pass
  public Graph apply(Graph graph) {
    return apply(graph, (_, _) -> {});
  }

  /// As [#apply], and shows what each pass made.
  ///
  /// @param after takes a pass's name and the graph that it made
  public Graph apply(Graph graph, BiConsumer<String, Graph> after) {
    Graph result = GraphCheck.check(graph);
    for (Pass pass : passes) {
      result = checked(pass, pass.everywhere(result));
      after.accept(pass.name(), result);
    }
    List<Boolean> before = result.rowwise();
    List<Boolean> now = Rowwise.of(result);
    List<Boolean> either =
        IntStream.range(0, now.size()).mapToObj(i -> before.get(i) || now.get(i)).toList();
    return new Graph(
        result.name(),
        result.inputs(),
        result.outputs(),
        result.nodes(),
        result.constants(),
        either);
  }

  private static Graph checked(Pass pass, Graph graph) {
    try {
      return GraphCheck.check(graph);
    } catch (IllegalStateException e) {
      throw new IllegalStateException("after pass " + pass.name() + ": " + e.getMessage(), e);
    }
  }
}
