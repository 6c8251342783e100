package io.miniinference.codegen.cpu.order;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.RankedEntry;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.TopKText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// TopK on CPUs. A work item finds the best `k` of a chunk of a row ([TopKSelection]). Where there
/// are few rows, and long ones, a row has several chunks, whose lists a second kernel merges.
///
/// @param chunks in a row
/// @param length elements of a chunk, of the last one fewer
public record TopKChunks(int chunks, int length) implements OwnKernels {
  /// More do not gain: merging takes a look at the head of each list for each result.
  private static final int MOST_CHUNKS = 16;

  /// A row that is at least this many times as long as the result leaves little to merge.
  private static final int LEAST_SHARE = 64;

  private static final int ENOUGH_ROWS = 8;

  private static final Template STORE =
      Template.of(
          "top-k results",
          """
          for (long j = 0; j < $k; j++) {
            $store
          }
          """);

  private static final Template FILL =
      Template.of("top-k fill", "for (; count < $k; count++) best[count] = $none;");

  private static final Template MERGE =
      Template.of(
          "merge of top-k lists",
          """
          int heads[$chunks];
          for (int c = 0; c < $chunks; c++) heads[c] = 0;
          for (long j = 0; j < $k; j++) {
            int from = -1;
            $entry first = $none;
            for (int c = 0; c < $chunks; c++) {
              if (heads[c] < $k) {
                const $entry head = lists[(item * $chunks + c) * $k + heads[c]];
                if (${entry}_before(head, first)) {
                  first = head;
                  from = c;
                }
              }
            }
            heads[from < 0 ? 0 : from]++;
            $store
          }
          """);

  /// The choice for a node.
  ///
  /// @param index how its operand lies
  public static <S extends Strategy> KernelChoice<S> choice(
      Node node, Op.TopK op, IndexFunction index, Function<OwnKernels, S> strategy) {
    TensorType x = node.inputs().getFirst().type();
    TopKChunks chunks = of(x, op, TopKSelection.leastChunk(op, x.element(), index));
    Affine entries = TopKText.rows(x, op.axis()).times(chunks.chunks).times(op.k());
    Affine bytes = entries.times(RankedEntry.of(x.element()).bytes());
    return KernelChoice.plain(strategy.apply(chunks), node.inputs().size(), Layout.ROW_MAJOR)
        .withScratch(new KernelChoice.Scratch("lists", bytes));
  }

  private static TopKChunks of(TensorType x, Op.TopK op, int leastChunk) {
    int extent = Math.toIntExact(x.dim(op.axis()).constant());
    Affine rows = TopKText.rows(x, op.axis());
    long chunks = Math.min(MOST_CHUNKS, extent / leastChunk);
    if (chunks < 2
        || op.k() > extent / LEAST_SHARE
        || rows.constant() + rows.perBatch() >= ENOUGH_ROWS) {
      return new TopKChunks(1, extent);
    }
    return new TopKChunks((int) chunks, (int) Math.ceilDiv(extent, chunks));
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    String selection = TopKSelection.of(step).algorithm();
    return Algorithm.of(chunks == 1 ? selection : selection + ", of chunks of a row, merged");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step) {
    List<KernelText.Written> kernels = new ArrayList<>();
    if (TopKText.op(step).k() > 0) {
      kernels.add(select(step));
    }
    if (TopKText.op(step).k() > 0 && chunks > 1) {
      kernels.add(merge(step));
    }
    return kernels;
  }

  private static final Template CHUNK =
      Template.of(
          "chunk of a row",
          """
          @global $entry* best = lists + item * $k;
          const long begin = $chunk * $length;
          const long end = begin + $length < $extent ? begin + $length : $extent;
          """);

  private KernelText.Written select(LoweredStep step) {
    TopKText top = new TopKText(step, 1);
    TopKSelection selection = TopKSelection.of(step);
    Op.TopK op = TopKText.op(step);
    TensorType x = step.node().inputs().getFirst().type();
    KernelText text = top.text();
    text.head(selection.head());
    top.declareOperand();
    top.declareScratch("lists", 0);
    Affine items = TopKText.rows(x, op.axis()).times(chunks);
    open(top, items, chunks == 1 ? "item" : "(item / " + chunks + ")");
    text.add(
        CHUNK
            .with("entry", top.entry().type())
            .with("k", op.k())
            .with("chunk", chunks == 1 ? "0" : "item % " + chunks)
            .with("length", length)
            .with("extent", x.dim(op.axis()).constant()));
    text.line(selection.text(top));
    if (chunks == 1) {
      top.declareResults();
      text.add(STORE.with("k", op.k()).with("store", top.store("j", "best[j]")));
    } else {
      text.add(FILL.with("k", op.k()).with("none", top.entry().none()));
    }
    return new KernelText.Written(text, new Launch.Items(items, selection.grain(length)));
  }

  private KernelText.Written merge(LoweredStep step) {
    TopKText top = new TopKText(step, 1);
    Op.TopK op = TopKText.op(step);
    KernelText text = top.text();
    text.head("A work item merges the sorted lists of all chunks of a row.");
    top.declareOperand();
    top.declareScratch("lists", 0);
    top.declareResults();
    Affine items = TopKText.rows(step.node().inputs().getFirst().type(), op.axis());
    open(top, items, "item");
    text.add(
        MERGE
            .with("entry", top.entry().type())
            .with("chunks", chunks)
            .with("k", op.k())
            .with("none", top.entry().none())
            .with("store", top.store("j", "first")));
    return new KernelText.Written(
        text, new Launch.Items(items, TopKSelection.HEAP.grain(chunks * op.k())));
  }

  private static final Template OPEN =
      Template.of(
          "row of a work item",
          """
          const long item = (long)@globalId + first;
          if (item >= $items) return;
          $coordinates
          """);

  private static void open(TopKText top, Affine items, String row) {
    top.text()
        .add(OPEN.with("items", IndexText.affine(items)).with("coordinates", top.coordinates(row)));
  }
}
