package io.miniinference.pass.pipeline;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.ir.Graph;
import io.miniinference.ir.analysis.Rowwise;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.CommonSubexpressions;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.ExactProducts;
import io.miniinference.pass.FactorsBehindProducts;
import io.miniinference.pass.FoldConstants;
import io.miniinference.pass.FoldingLimitException;
import io.miniinference.pass.FuseElementwise;
import io.miniinference.pass.FuseNormalize;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.Pass;
import io.miniinference.pass.RemoveIdentities;
import io.miniinference.pass.ScalesBehindProducts;
import io.miniinference.pass.SimplifyExpressions;
import io.miniinference.pass.TidyBodies;
import io.miniinference.pass.TrustIndices;
import io.miniinference.pass.bytes.ByteFunctions;
import io.miniinference.pass.bytes.ByteProducts;
import io.miniinference.pass.views.ChannelsFirst;
import io.miniinference.pass.views.GathersInOrder;
import io.miniinference.pass.views.MapsBeforeConcat;
import io.miniinference.pass.views.MapsBeforeViews;
import io.miniinference.pass.views.MatrixTransposes;
import io.miniinference.pass.views.NumbersInPlace;
import io.miniinference.pass.views.PadsInWindows;
import io.miniinference.pass.views.RollsAsMaps;
import io.miniinference.pass.views.RowsAlike;
import io.miniinference.pass.windows.TransposedConvolutions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/// Passes one after the other, and [GraphCheck] of what they make together. If it fails, they run
/// again with a check after each: as many checks would take longer than what they look at.
public record Pipeline(List<Pass> passes) {
  public Pipeline {
    passes = List.copyOf(passes);
  }

  public static Pipeline of(Pass... passes) {
    return new Pipeline(List.of(passes));
  }

  /// What every model goes through between import and lowering; `FuseAttention` follows, once it is
  /// known which sizes are open.
  ///
  /// @param foldedBytes most that folding may hold, the pool's capacity
  /// @param fusion what the lowering target takes
  public static Pipeline standard(Evaluator evaluator, long foldedBytes, FusionOptions fusion) {
    return standard(evaluator, foldedBytes, fusion, true);
  }

  /// As [#standard], for a model that goes through it for each shape of its requests: what a shape
  /// needs follows from its sizes, and a larger one needs no less, so that nothing is computed at
  /// load because it is small; and no expression holds a size that a kernel of all shapes lacks.
  public static Pipeline ofManyShapes(Evaluator evaluator, long foldedBytes, FusionOptions fusion) {
    return standard(evaluator, foldedBytes, fusion, false);
  }

  private static Pipeline standard(
      Evaluator evaluator, long foldedBytes, FusionOptions fusion, boolean isOfOneShape) {
    SimplifyExpressions simplify = new SimplifyExpressions(evaluator);
    FoldConstants fold = new FoldConstants(evaluator, foldedBytes);
    List<Pass> passes = new ArrayList<>();
    if (fusion.target().multipliesBytes()) {
      passes.add(new ScalesBehindProducts());
    }
    passes.addAll(List.of(fold, new TidyBodies(), simplify, new RemoveIdentities()));
    passes.addAll(
        List.of(
            new GathersInOrder(), // of sizes, which places may follow from
            new NumbersInPlace(),
            simplify,
            new GathersInOrder(),
            new MatrixTransposes(),
            new ChannelsFirst(),
            new PadsInWindows()));
    if (isOfOneShape) {
      passes.add(new RowsAlike(evaluator));
    }
    passes.addAll(
        List.of(
            fold,
            new TransposedConvolutions(fusion.target()),
            new TrustIndices(),
            new CommonSubexpressions(),
            new DeadCode(),
            new FuseNormalize(),
            new FactorsBehindProducts(),
            new ByteProducts(fusion.target(), evaluator),
            new ByteFunctions(fusion.target(), evaluator),
            new ExactProducts(evaluator),
            new MapsBeforeViews(),
            new MapsBeforeConcat(evaluator, fusion.target())));
    if (isOfOneShape && fusion.target().readsAtPlaces()) {
      passes.add(new RollsAsMaps());
    }
    passes.add(new FuseElementwise(fusion));
    passes.addAll(List.of(simplify, new RemoveIdentities(), new DeadCode(), new TidyBodies()));
    return new Pipeline(passes);
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
    Graph result = checked(graph, after);
    List<Boolean> before = result.rowwise();
    if (!before.contains(false)) {
      return result;
    }
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

  private Graph checked(Graph graph, BiConsumer<String, Graph> after) {
    try {
      return GraphCheck.check(all(graph, (_, made) -> made, after));
    } catch (FoldingLimitException | BudgetSpentException e) {
      throw e;
    } catch (RuntimeException e) {
      all(GraphCheck.check(graph), Pipeline::checked, (_, _) -> {});
      throw e;
    }
  }

  private Graph all(
      Graph graph, BiFunction<Pass, Graph, Graph> each, BiConsumer<String, Graph> after) {
    Graph result = graph;
    for (Pass pass : passes) {
      result = each.apply(pass, pass.everywhere(result));
      after.accept(pass.name(), result);
    }
    return result;
  }

  private static Graph checked(Pass pass, Graph graph) {
    try {
      return GraphCheck.check(graph);
    } catch (IllegalStateException e) {
      throw new IllegalStateException("after pass " + pass.name() + ": " + e.getMessage(), e);
    }
  }
}
