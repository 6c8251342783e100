package io.miniinference.codegen.gpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.TopKEntry;
import io.miniinference.codegen.TopKText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// TopK on GPUs. A work-group sorts a tile of a row in local memory (K. E. Batcher, Sorting
/// Networks and Their Applications, 1968) and keeps the first `k`. What is left are sorted lists,
/// which further kernels make fewer: where many lists fit a tile, a work-group sorts these again;
/// longer ones are merged in pairs, each work item looking up where its entry goes. Lists lie in
/// scratch, in two places by turns.
///
/// ```
/// row    | tile | tile | tile | tile |
/// lists  | k    | k    | k    | k    |      in scratch
/// lists  | k           | k           |
/// result | k |
/// ```
///
/// @param tile entries of a tile, a power of two
/// @param local work items of a work-group
record TopKTiles(int tile, int local) implements GpuStrategy.Several {
  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("sorted tiles, merged");
  }

  private static final int LARGEST_TILE = 1024;

  /// Two entries for each work item of a warp.
  private static final int SMALLEST_TILE = 64;

  private static final int MOST_ITEMS = 256;

  /// Work items of a work-group that merges.
  private static final int MERGE_ITEMS = 128;

  private static final Template SORT =
      Template.of(
          "bitonic sort of a tile",
          """
          const long group = (long)first + @groupId(0);
          const long row = group / $lists;
          const long part = group % $lists;
          $coordinates
          @shared $entry tile[$tile];
          for (int i = @localId; i < $tile; i += $local) {
            $load
          }
          @barrier;
          for (int size = 2; size <= $tile; size <<= 1) {
            for (int apart = size >> 1; apart > 0; apart >>= 1) {
              for (int i = @localId; i < $half; i += $local) {
                const int a = 2 * i - (i & (apart - 1));
                const int b = a + apart;
                const $entry left = tile[a];
                const $entry right = tile[b];
                if (((a & size) == 0) == ${entry}_before(right, left)) {
                  tile[a] = right;
                  tile[b] = left;
                }
              }
              @barrier;
            }
          }
          for (int j = @localId; j < $kept; j += $local) {
            $store
          }
          """);

  private static final Template LOAD_ROW =
      Template.of(
          "tile of a row",
          """
          const long e = part * $tile + i;
          $entry next = $none;
          if (e < $extent) {
            $rank
            next = ${entry}_of(rank, e);
          }
          tile[i] = next;
          """);

  private static final Template LOAD_LISTS =
      Template.of(
          "tile of lists",
          """
          const long e = part * $stride + i;
          tile[i] = i < $stride && e < $all ? from[row * $all + e] : $none;
          """);

  private static final Template MERGE =
      Template.of(
          "merge of pairs of lists",
          """
          const long item = ((long)first + @groupId(0)) * $local + @localId;
          if (item >= $items) return;
          const long row = item / $all;
          $coordinates
          const long e = item % $all;
          const long list = e / $length;
          const long i = e % $length;
          const long other = (list ^ 1) * $length;
          const $entry mine = from[item];
          long low = 0;
          if ((list ^ 1) < $lists) {
            long high = $length;
            while (low < high) {
              const long middle = (low + high) / 2;
              const $entry theirs = from[row * $all + other + middle];
              const int earlier = list & 1 ? !${entry}_before(mine, theirs) : ${entry}_before(theirs, mine);
              if (earlier) low = middle + 1;
              else high = middle;
            }
          } else if (i + $length < $kept) {
            const long j = i + $length;
            const $entry out = $none;
            $store
          }
          const long j = i + low;
          const $entry out = mine;
          if (j < $kept) {
            $store
          }
          """);

  /// What is left of each row after some kernels.
  ///
  /// @param count lists
  /// @param length entries of each, which is sorted
  private record Lists(long count, long length) {
    long entries() {
      return count * length;
    }
  }

  static KernelChoice<GpuStrategy> choice(Node node, Op.TopK op, KernelChoice<GpuStrategy> plain) {
    TensorType x = node.inputs().getFirst().type();
    TopKTiles tiles = of(x, op);
    return new KernelChoice<>(
        tiles, plain.inputs(), plain.packings(), plain.output(), false, tiles.scratch(x, op));
  }

  private static TopKTiles of(TensorType x, Op.TopK op) {
    long extent = Math.clamp(x.dim(op.axis()).constant(), SMALLEST_TILE, LARGEST_TILE);
    int tile = Math.toIntExact(2 * Long.highestOneBit(extent - 1));
    return new TopKTiles(tile, Math.min(tile / 2, MOST_ITEMS));
  }

  private List<KernelChoice.Scratch> scratch(TensorType x, Op.TopK op) {
    List<Lists> passes = passes(x.dim(op.axis()).constant(), op.k());
    long even = 0;
    long odd = 0;
    for (int i = 0; i < passes.size() - 1; i++) {
      long entries = passes.get(i).entries();
      even = i % 2 == 0 ? Math.max(even, entries) : even;
      odd = i % 2 == 0 ? odd : Math.max(odd, entries);
    }
    Affine row = TopKText.rows(x, op.axis()).times(TopKEntry.of(x.element()).bytes());
    return even == 0
        ? List.of()
        : odd == 0
            ? List.of(new KernelChoice.Scratch("lists", row.times(even)))
            : List.of(
                new KernelChoice.Scratch("lists", row.times(even)),
                new KernelChoice.Scratch("fewer lists", row.times(odd)));
  }

  /* The lists after each kernel; one list after the last. */
  private List<Lists> passes(long extent, long k) {
    List<Lists> passes = new ArrayList<>();
    if (k > 0) {
      passes.add(new Lists(Math.ceilDiv(extent, (long) tile), Math.min(k, tile)));
      while (passes.getLast().count() > 1) {
        passes.add(next(passes.getLast(), k));
      }
    }
    return passes;
  }

  private Lists next(Lists lists, long k) {
    return sortsAgain(lists)
        ? new Lists(Math.ceilDiv(lists.count(), tile / lists.length()), k)
        : new Lists(Math.ceilDiv(lists.count(), 2L), Math.min(k, 2 * lists.length()));
  }

  /* Lists of `k` entries, two of which fit a tile. */
  private boolean sortsAgain(Lists lists) {
    return 2 * lists.length() <= tile;
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.TopK op = TopKText.op(step);
    TensorType x = step.node().inputs().getFirst().type();
    long extent = x.dim(op.axis()).constant();
    List<Lists> passes = passes(extent, op.k());
    List<KernelText.Written> kernels = new ArrayList<>();
    for (int i = 0; i < passes.size(); i++) {
      boolean last = i == passes.size() - 1;
      Pass pass = new Pass(step, last ? -1 : i % 2, passes.get(i));
      if (i == 0) {
        kernels.add(pass.sortRow(extent));
      } else if (sortsAgain(passes.get(i - 1))) {
        kernels.add(pass.sortLists((i - 1) % 2, passes.get(i - 1)));
      } else {
        kernels.add(pass.merge((i - 1) % 2, passes.get(i - 1)));
      }
    }
    return kernels;
  }

  /* One kernel. */
  private final class Pass {
    private final LoweredStep step;
    private final int scratch;
    private final Lists result;
    private final Affine rows;

    /// @param scratch where the result goes, or -1 if it is the step's
    Pass(LoweredStep step, int scratch, Lists result) {
      this.step = step;
      this.scratch = scratch;
      this.result = result;
      rows = TopKText.rows(step.node().inputs().getFirst().type(), TopKText.op(step).axis());
    }

    KernelText.Written sortRow(long extent) {
      TopKText top = new TopKText(step, local);
      top.text().head("A work-group sorts a tile of a row and keeps its first entries.");
      top.declareOperand();
      String load =
          LOAD_ROW
              .with("tile", tile)
              .with("entry", top.entry().type())
              .with("none", top.entry().none())
              .with("extent", extent)
              .with("rank", top.rank("e"))
              .text();
      return sort(top, load);
    }

    KernelText.Written sortLists(int from, Lists lists) {
      TopKText top = new TopKText(step, local);
      top.text()
          .head("A work-group sorts as many lists as fit a tile and keeps the first entries.");
      top.declareOperand();
      top.declareScratch("from", from);
      long stride = tile / lists.length() * lists.length();
      String load =
          LOAD_LISTS
              .with("stride", stride)
              .with("all", lists.entries())
              .with("none", top.entry().none())
              .text();
      return sort(top, load);
    }

    private KernelText.Written sort(TopKText top, String load) {
      KernelText text = top.text();
      text.add(
          SORT.with("lists", result.count())
              .with("coordinates", top.coordinates("row"))
              .with("entry", top.entry().type())
              .with("tile", tile)
              .with("half", tile / 2)
              .with("local", local)
              .with("load", load)
              .with("kept", result.length())
              .with("store", store(top, "tile[j]", "part")));
      Affine items = rows.times(result.count()).times(local);
      return new KernelText.Written(
          text, new Launch.Groups(List.of(new Launch.Extent(items, local, local))));
    }

    KernelText.Written merge(int from, Lists lists) {
      TopKText top = new TopKText(step, MERGE_ITEMS);
      KernelText text = top.text();
      text.head("A work item finds the place of an entry in the merger of its list with the next.");
      top.declareOperand();
      top.declareScratch("from", from);
      Affine items = rows.times(lists.entries());
      String store = store(top, "out", "list / 2");
      text.add(
          MERGE
              .with("local", MERGE_ITEMS)
              .with("items", IndexText.affine(items))
              .with("coordinates", top.coordinates("row"))
              .with("entry", top.entry().type())
              .with("none", top.entry().none())
              .with("all", lists.entries())
              .with("length", lists.length())
              .with("lists", lists.count())
              .with("kept", result.length())
              .with("store", store));
      return new KernelText.Written(
          text, new Launch.Groups(List.of(new Launch.Extent(items, MERGE_ITEMS, MERGE_ITEMS))));
    }

    /* Stores an entry as number `j` of list `list` of the result. */
    private String store(TopKText top, String entry, String list) {
      if (scratch < 0) {
        top.declareResults();
        return top.store("j", entry);
      }
      top.declareScratch("to", scratch);
      return "to[row * %d + (%s) * %d + j] = %s;"
          .formatted(result.entries(), list, result.length(), entry);
    }
  }
}
