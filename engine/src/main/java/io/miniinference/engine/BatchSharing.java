package io.miniinference.engine;

import io.miniinference.runtime.PreparedModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// How models that are loaded together share what is free of a pool: the largest batch of each.
///
/// 1. Each gets room for batch 1, less the weights that those before it bring: those of the first
///    rank before others, and of one rank those that take least first, so that as many models as
///    possible are served. A model for which there is no room is left out.
/// 2. For each model whose requests take memory of their own an equal share of the pool stays free,
///    but no more than half of what is left for all of them.
/// 3. Of the rest, all are raised together: every model that is at the lowest batch goes to twice
///    that batch if it fits, those that take least more first; one that does not fit stays where it
///    is.
///
/// So a model never has a smaller batch because another has more than twice its own, and the answer
/// depends on nothing but the models, their ranks and the free bytes: of those that take equally
/// much, the one whose name comes first goes first.
public final class BatchSharing {

  /// A model that wants a share.
  ///
  /// @param rank those of a lower one have room first
  public record Claim(PreparedModel model, int rank) {
    public Claim(PreparedModel model) {
      this(model, 0);
    }
  }

  private final List<Claim> claims;
  private final int[] batches;
  private long leftBytes;

  private BatchSharing(List<Claim> claims, long freeBytes) {
    this.claims = claims;
    this.batches = new int[claims.size()];
    this.leftBytes = freeBytes;
  }

  /// The largest batch of each model, 0 for one that does not fit.
  public static List<Integer> batches(List<Claim> claims, long freeBytes) {
    var sharing = new BatchSharing(claims, freeBytes);
    sharing.startAtOne();
    sharing.leaveForRequests(freeBytes);
    for (int level = 1; sharing.raise(level); level *= 2) {
      /* each round raises those at one level */
    }
    return Arrays.stream(sharing.batches).boxed().toList();
  }

  /// The batch that is tried after this one: twice as large, or the largest that is allowed.
  public static int next(PreparedModel model, int batch) {
    return (int) Math.min(2L * batch, model.largestBatch());
  }

  private void startAtOne() {
    List<PreparedModel> before = new ArrayList<>();
    for (int i : ordered(IntStream.range(0, batches.length), it -> it.bytes(1))) {
      PreparedModel model = model(i);
      long bytes = model.bytes(1) - model.bytesBroughtBy(before);
      if (bytes <= leftBytes) {
        before.add(model);
        batches[i] = 1;
        leftBytes -= bytes;
      }
    }
  }

  private void leaveForRequests(long freeBytes) {
    long sized = claims.stream().filter(claim -> claim.model.isSizedByRequests()).count();
    if (sized > 0) {
      leftBytes -= Math.min(freeBytes / claims.size() * sized, leftBytes / 2);
    }
  }

  private boolean raise(int level) {
    IntStream open =
        IntStream.range(0, batches.length)
            .filter(i -> batches[i] == level && next(model(i), level) > level);
    boolean raised = false;
    for (int i : ordered(open, model -> more(model, level))) {
      long more = more(model(i), level);
      if (more <= leftBytes) {
        batches[i] = next(model(i), level);
        leftBytes -= more;
        raised = true;
      }
    }
    return raised;
  }

  private static long more(PreparedModel model, int level) {
    return model.bytes(next(model, level)) - model.bytes(level);
  }

  private PreparedModel model(int i) {
    return claims.get(i).model;
  }

  private List<Integer> ordered(IntStream models, ToLongFunction<PreparedModel> bytes) {
    return models
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(i -> claims.get(i).rank)
                .thenComparingLong(i -> bytes.applyAsLong(model(i)))
                .thenComparing(i -> model(i).name()))
        .toList();
  }
}
