package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RankedEntry;
import io.miniinference.codegen.TopKText;
import io.miniinference.codegen.gpu.sort.RowEntries;
import io.miniinference.codegen.gpu.sort.SortedTiles;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// TopK on GPUs: rows are sorted in tiles, of which the first `k` are kept.
record TopKTiles(SortedTiles tiles) implements GpuStrategy.Several {
  static KernelChoice<GpuStrategy> choice(Node node, Op.TopK op, KernelChoice<GpuStrategy> plain) {
    TensorType x = node.inputs().getFirst().type();
    long extent = x.dim(op.axis()).constant();
    SortedTiles tiles = SortedTiles.of(TopKText.rows(x, op.axis()), extent, op.k(), false);
    return new KernelChoice<>(
        new TopKTiles(tiles),
        plain.inputs(),
        plain.packings(),
        plain.output(),
        false,
        tiles.scratch(RankedEntry.of(x.element()).bytes()));
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("sorted tiles, merged");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    return tiles.kernels(items -> new Values(new TopKText(step, items)));
  }

  /// Entries made of a row's elements.
  private record Values(TopKText top) implements RowEntries {
    @Override
    public KernelText text() {
      return top.text();
    }

    @Override
    public RankedEntry entry() {
      return top.entry();
    }

    @Override
    public void declareOperand() {
      top.declareOperand();
    }

    @Override
    public String coordinates(String row) {
      return top.coordinates(row);
    }

    @Override
    public String load(String place) {
      return top.rank(place) + "\nnext = " + entry().type() + "_of(rank, " + place + ");";
    }

    @Override
    public void declareScratch(String name, int scratch) {
      top.declareScratch(name, scratch);
    }

    @Override
    public String store(String place, String entry) {
      top.declareResults();
      return top.store(place, entry);
    }
  }
}
