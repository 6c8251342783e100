package io.miniinference.engine;

import io.miniinference.runtime.PreparedModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How models that are loaded together share what is free of a pool: the largest batch of each.
///
/// 1. In their order, each gets room for batch 1, less the weights that those before it bring; a
///    model for which there is no room is left out.
/// 2. For each model whose requests take memory of their own an equal share of the pool stays free.
/// 3. Of the rest, all are raised together: every model that is at the lowest batch goes to twice
///    that batch, in order, if it fits; one that does not fit stays where it is.
///
/// So a model never has a smaller batch because another has more than twice its own, and the answer
/// depends on nothing but the models, their order and the free bytes.
public final class BatchSharing {
  private final List<PreparedModel> models;
  private final int[] batches;
  private long leftBytes;

  private BatchSharing(List<PreparedModel> models, long freeBytes) {
    this.models = models;
    this.batches = new int[models.size()];
    this.leftBytes = freeBytes;
  }

  /// The largest batch of each model, 0 for one that does not fit.
  public static List<Integer> batches(List<PreparedModel> models, long freeBytes) {
    var sharing = new BatchSharing(models, freeBytes);
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
    for (int i = 0; i < batches.length; i++) {
      PreparedModel model = models.get(i);
      long bytes = model.bytes(1) - model.bytesBroughtBy(before);
      if (bytes <= leftBytes) {
        before.add(model);
        batches[i] = 1;
        leftBytes -= bytes;
      }
    }
  }

  private void leaveForRequests(long freeBytes) {
    long sized = models.stream().filter(PreparedModel::isSizedByRequests).count();
    leftBytes -= sized == 0 ? 0 : freeBytes / models.size() * sized;
  }

  private boolean raise(int level) {
    boolean raised = false;
    for (int i = 0; i < batches.length; i++) {
      PreparedModel model = models.get(i);
      int next = next(model, level);
      if (batches[i] == level && next > level) {
        long more = model.bytes(next) - model.bytes(level);
        if (more <= leftBytes) {
          batches[i] = next;
          leftBytes -= more;
          raised = true;
        }
      }
    }
    return raised;
  }
}
