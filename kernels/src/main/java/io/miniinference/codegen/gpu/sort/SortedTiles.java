package io.miniinference.codegen.gpu.sort;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.lower.KernelChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Kernels that sort rows of entries. A work-group sorts a tile of a row in local memory (K. E.
/// Batcher, Sorting Networks and Their Applications, 1968) and keeps the first ones. What is left
/// are sorted lists, which further kernels make fewer: where many lists fit a tile, a work-group
/// sorts these again; longer ones are merged in pairs, each work item looking up where its entry
/// goes. Lists lie in scratch, in two places by turns.
///
/// ```
/// row    | tile | tile | tile | tile |
/// lists  | k    | k    | k    | k    |      in scratch
/// lists  | k           | k           |
/// result | k |
/// ```
///
/// @param rows that are sorted
/// @param extent entries of a row
/// @param kept how many of its first entries are wanted
/// @param stays whether the last list, too, is left in scratch
/// @param tile entries of a tile, a power of two
/// @param local work items of a work-group
public record SortedTiles(Affine rows, long extent, long kept, boolean stays, int tile, int local) {
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
            $load
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

  /// Tiles for such rows.
  public static SortedTiles of(Affine rows, long extent, long kept, boolean stays) {
    long clamped = Math.clamp(extent, SMALLEST_TILE, LARGEST_TILE);
    int tile = Math.toIntExact(2 * Long.highestOneBit(clamped - 1));
    return new SortedTiles(rows, extent, kept, stays, tile, Math.min(tile / 2, MOST_ITEMS));
  }

  /// Memory for lists of entries of that many bytes.
  public List<KernelChoice.Scratch> scratch(int bytes) {
    List<Lists> left = stays ? passes() : passes().subList(0, Math.max(0, passes().size() - 1));
    long[] most = new long[2];
    for (int i = 0; i < left.size(); i++) {
      most[i % 2] = Math.max(most[i % 2], left.get(i).entries());
    }
    List<KernelChoice.Scratch> scratch = new ArrayList<>();
    if (most[0] > 0) {
      scratch.add(new KernelChoice.Scratch("lists", rows.times(bytes).times(most[0])));
    }
    if (most[1] > 0) {
      scratch.add(new KernelChoice.Scratch("fewer lists", rows.times(bytes).times(most[1])));
    }
    return scratch;
  }

  /// Which scratch holds the last list, where that stays there.
  public int lastScratch() {
    return (passes().size() - 1) % 2;
  }

  /// From row to row, the entries between the last lists, where they stay in scratch.
  public long lastStride() {
    return passes().getLast().entries();
  }

  /* The lists after each kernel; one list after the last. */
  private List<Lists> passes() {
    List<Lists> passes = new ArrayList<>();
    if (kept > 0) {
      passes.add(new Lists(Math.ceilDiv(extent, (long) tile), Math.min(kept, tile)));
      while (passes.getLast().count() > 1) {
        passes.add(next(passes.getLast()));
      }
    }
    return passes;
  }

  private Lists next(Lists lists) {
    return sortsAgain(lists)
        ? new Lists(Math.ceilDiv(lists.count(), tile / lists.length()), kept)
        : new Lists(Math.ceilDiv(lists.count(), 2L), Math.min(kept, 2 * lists.length()));
  }

  /* Lists of `kept` entries, two of which fit a tile. */
  private boolean sortsAgain(Lists lists) {
    return 2 * lists.length() <= tile;
  }

  /// All kernels.
  ///
  /// @param entries begins a kernel whose work-groups have so many work items
  public List<KernelText.Written> kernels(IntFunction<RowEntries> entries) {
    List<Lists> passes = passes();
    List<KernelText.Written> kernels = new ArrayList<>();
    for (int i = 0; i < passes.size(); i++) {
      boolean isResult = i == passes.size() - 1 && !stays;
      Pass pass = new Pass(entries, isResult ? -1 : i % 2, passes.get(i));
      if (i == 0) {
        kernels.add(pass.sortRow());
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
    private final IntFunction<RowEntries> entries;
    private final int scratch;
    private final Lists result;

    /// @param scratch where the result goes, or -1 if it is the step's
    Pass(IntFunction<RowEntries> entries, int scratch, Lists result) {
      this.entries = entries;
      this.scratch = scratch;
      this.result = result;
    }

    KernelText.Written sortRow() {
      RowEntries row = entries.apply(local);
      row.text().head("A work-group sorts a tile of a row and keeps its first entries.");
      row.declareOperand();
      String load =
          LOAD_ROW
              .with("tile", tile)
              .with("entry", row.entry().type())
              .with("none", row.entry().none())
              .with("extent", extent)
              .with("load", row.load("e"))
              .text();
      return sort(row, load);
    }

    KernelText.Written sortLists(int from, Lists lists) {
      RowEntries row = entries.apply(local);
      row.text()
          .head("A work-group sorts as many lists as fit a tile and keeps the first entries.");
      declareOperandOfResult(row);
      row.declareScratch("from", from);
      long stride = tile / lists.length() * lists.length();
      String load =
          LOAD_LISTS
              .with("stride", stride)
              .with("all", lists.entries())
              .with("none", row.entry().none())
              .text();
      return sort(row, load);
    }

    private KernelText.Written sort(RowEntries row, String load) {
      KernelText text = row.text();
      text.add(
          SORT.with("lists", result.count())
              .with("coordinates", row.coordinates("row"))
              .with("entry", row.entry().type())
              .with("tile", tile)
              .with("half", tile / 2)
              .with("local", local)
              .with("load", load)
              .with("kept", result.length())
              .with("store", store(row, "tile[j]", "part")));
      Affine items = rows.times(result.count()).times(local);
      return new KernelText.Written(
          text, new Launch.Groups(List.of(new Launch.Extent(items, local, local))));
    }

    KernelText.Written merge(int from, Lists lists) {
      RowEntries row = entries.apply(MERGE_ITEMS);
      KernelText text = row.text();
      text.head("A work item finds the place of an entry in the merger of its list with the next.");
      declareOperandOfResult(row);
      row.declareScratch("from", from);
      Affine items = rows.times(lists.entries());
      String store = store(row, "out", "list / 2");
      text.add(
          MERGE
              .with("local", MERGE_ITEMS)
              .with("items", IndexText.affine(items))
              .with("coordinates", row.coordinates("row"))
              .with("entry", row.entry().type())
              .with("none", row.entry().none())
              .with("all", lists.entries())
              .with("length", lists.length())
              .with("lists", lists.count())
              .with("kept", result.length())
              .with("store", store));
      return new KernelText.Written(
          text, new Launch.Groups(List.of(new Launch.Extent(items, MERGE_ITEMS, MERGE_ITEMS))));
    }

    /* Of which a result may be made. */
    private void declareOperandOfResult(RowEntries row) {
      if (scratch < 0) {
        row.declareOperand();
      }
    }

    /* Stores an entry as number `j` of list `list` of the result. */
    private String store(RowEntries row, String entry, String list) {
      if (scratch < 0) {
        return row.store("j", entry);
      }
      row.declareScratch("to", scratch);
      return "to[row * %d + (%s) * %d + j] = %s;"
          .formatted(result.entries(), list, result.length(), entry);
    }
  }
}
