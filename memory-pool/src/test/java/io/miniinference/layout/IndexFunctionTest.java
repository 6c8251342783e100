package io.miniinference.layout;

import static io.miniinference.layout.Affine.N;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class IndexFunctionTest {
  private static final long[] BATCHES = {0, 1, 3};

  private static List<Affine> shape(Object... dimensions) {
    return java.util.Arrays.stream(dimensions)
        .map(d -> d instanceof Affine a ? a : Affine.of((Integer) d))
        .toList();
  }

  private static List<IndexFunction> layouts() {
    return List.of(
        IndexFunction.rowMajor(shape(N, 3, 4)),
        IndexFunction.rowMajor(shape(2, N, 3)),
        IndexFunction.rowMajor(shape(2, 1, 6)),
        IndexFunction.rowMajor(shape(Affine.batch(2), 5)),
        IndexFunction.rowMajor(shape()),
        IndexFunction.ordered(shape(N, 3, 2, 4), List.of(0, 2, 3, 1)),
        IndexFunction.ordered(shape(3, N, 2), List.of(2, 0, 1)),
        IndexFunction.blocked(shape(N, 20, 2, 3), 1, 16),
        IndexFunction.blocked(shape(N, 32, 2), 1, 16),
        IndexFunction.blocked(shape(5, N), 0, 4));
  }

  @Test
  void rowMajorCountsUp() {
    for (long n : BATCHES) {
      List<Long> offsets = Enumerated.of(IndexFunction.rowMajor(shape(2, N, 3)), n).offsets();
      for (int i = 0; i < offsets.size(); i++) {
        assertThat(offsets.get(i)).isEqualTo(i);
      }
    }
  }

  @Test
  void channelsLastOrderPutsChannelsInnermost() {
    IndexFunction index = IndexFunction.ordered(shape(N, 3, 2, 4), List.of(0, 2, 3, 1));
    for (long[] at : Enumerated.indices(List.of(3L, 3L, 2L, 4L))) {
      assertThat(index.at(at, 3)).isEqualTo(((at[0] * 2 + at[2]) * 4 + at[3]) * 3 + at[1]);
    }
  }

  @Test
  void blockedLayoutPutsLanesInnermostAndPadsTheLastBlock() {
    IndexFunction index = IndexFunction.blocked(shape(N, 20, 2, 3), 1, 16);
    for (long[] at : Enumerated.indices(List.of(3L, 20L, 2L, 3L))) {
      long block = at[1] / 16;
      long lane = at[1] % 16;
      assertThat(index.at(at, 3))
          .isEqualTo((((at[0] * 2 + block) * 2 + at[2]) * 3 + at[3]) * 16 + lane);
    }
    assertThat(index.denseElements()).isEqualTo(Affine.batch(32 * 6));
    assertThat(index.elements()).isEqualTo(Affine.batch(20 * 6));
  }

  @Test
  void everyLayoutIsOneToOneAndStaysInsideItsBlock() {
    for (IndexFunction index : layouts()) {
      for (long n : BATCHES) {
        List<Long> offsets = Enumerated.of(index, n).offsets();
        assertThat(new HashSet<>(offsets)).as("%s", index).hasSameSizeAs(offsets);
        long size = index.denseElements().at(n);
        assertThat(offsets).allSatisfy(o -> assertThat(o).isBetween(0L, size - 1));
        assertThat(index.spanElements(n)).as("%s at %d", index, n).isEqualTo(size);
      }
    }
  }

  @Test
  void transposesReadTheSameMemory() {
    for (IndexFunction index : layouts()) {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < index.rank(); i++) {
        order.add((i + 1) % index.rank());
      }
      for (long n : BATCHES) {
        assertThat(Enumerated.of(index.transpose(order), n))
            .as("%s", index)
            .isEqualTo(Enumerated.of(index, n).transpose(order));
      }
    }
  }

  @Test
  void slicesWithAnyStepReadTheSameMemory() {
    for (IndexFunction index : layouts()) {
      for (int axis = 0; axis < index.rank(); axis++) {
        if (index.shape().get(axis).isConstant()) {
          slices(index, axis);
        }
      }
    }
  }

  private static void slices(IndexFunction index, int axis) {
    long extent = index.shape().get(axis).asConstant();
    for (long start = 0; start < extent; start++) {
      for (long step : new long[] {1, 2, 3, -1, -2}) {
        long room = step > 0 ? (extent - 1 - start) / step : start / -step;
        for (long count = 0; count <= room + 1; count++) {
          slice(index, axis, start, step, count);
        }
      }
    }
  }

  private static void slice(IndexFunction index, int axis, long start, long step, long count) {
    var sliced = index.slice(axis, Affine.of(start), step, Affine.of(count));
    boolean blocked = index.axes().get(axis).isBlocked();
    if (!blocked) {
      assertThat(sliced).isPresent();
    }
    if (blocked && step == 1 && start % index.axes().get(axis).block() == 0) {
      assertThat(sliced).isPresent();
    }
    sliced.ifPresent(view -> {
      for (long n : BATCHES) {
        assertThat(Enumerated.of(view, n))
            .as("%s sliced on %d from %d step %d", index, axis, start, step)
            .isEqualTo(Enumerated.of(index, n).slice(axis, start, step, count));
      }
    });
  }

  @Test
  void aSliceOfTheBatchIsAnIndexFunctionToo() {
    IndexFunction index = IndexFunction.rowMajor(shape(Affine.batch(2), 3));
    IndexFunction second = index.slice(0, N, 1, N).orElseThrow();
    IndexFunction reversed = index.slice(0, new Affine(-1, 2), -1, Affine.batch(2)).orElseThrow();
    for (long n : BATCHES) {
      assertThat(Enumerated.of(second, n)).isEqualTo(Enumerated.of(index, n).slice(0, n, 1, n));
      assertThat(Enumerated.of(reversed, n))
          .isEqualTo(Enumerated.of(index, n).slice(0, 2 * n - 1, -1, 2 * n));
    }
  }

  @Test
  void aBlockedAxisIsNotCutInsideABlock() {
    IndexFunction index = IndexFunction.blocked(shape(N, 32, 2), 1, 16);
    assertThat(index.slice(1, Affine.of(8), 1, Affine.of(8))).isEmpty();
    assertThat(index.slice(1, Affine.of(31), -1, Affine.of(32))).isEmpty();
    assertThat(index.slice(1, Affine.of(16), 1, Affine.of(7))).isPresent();
  }

  @Test
  void expandRepeatsWithoutMemory() {
    IndexFunction index = IndexFunction.rowMajor(shape(2, 1, 6));
    IndexFunction wide = index.expand(1, N);
    for (long n : BATCHES) {
      assertThat(Enumerated.of(wide, n)).isEqualTo(Enumerated.of(index, n).expand(1, n));
    }
    assertThat(wide.spanElements(3)).isEqualTo(12);
  }

  @Test
  void axesOfExtentOneMoveNothing() {
    for (IndexFunction index : layouts()) {
      for (int axis = 0; axis <= index.rank(); axis++) {
        IndexFunction inserted = index.insertAxis(axis);
        assertThat(Enumerated.of(inserted, 3).offsets())
            .isEqualTo(Enumerated.of(index, 3).offsets());
      }
    }
  }

  @Test
  void spansCoverWhatNegativeStepsReach() {
    IndexFunction index = IndexFunction.rowMajor(shape(4, 5));
    IndexFunction reversed = index.slice(1, Affine.of(4), -1, Affine.of(5)).orElseThrow();
    assertThat(reversed.spanElements(1)).isEqualTo(20);
    assertThat(Enumerated.of(reversed, 1).offsets())
        .allSatisfy(o -> assertThat(o).isBetween(0L, 19L));
  }

  @Test
  void rowMajorOrderIsRecognisedWhereItIs() {
    for (IndexFunction index : layouts()) {
      boolean counts = true;
      List<Long> offsets = Enumerated.of(index, 3).offsets();
      for (int i = 0; i < offsets.size(); i++) {
        counts &= offsets.get(i) == i;
      }
      assertThat(index.isRowMajor()).as("%s", index).isEqualTo(counts);
    }
    IndexFunction part =
        IndexFunction.rowMajor(shape(4, 3)).slice(0, Affine.of(1), 1, Affine.of(2)).orElseThrow();
    assertThat(part.hasRowMajorStrides()).isTrue();
    assertThat(part.isRowMajor()).isFalse();
  }

  @Test
  void equivalenceOverlooksOnlyStridesThatDoNotMatter() {
    IndexFunction one = IndexFunction.rowMajor(shape(2, 1, 6));
    IndexFunction other =
        new IndexFunction(
            Affine.ZERO,
            List.of(
                Axis.plain(Affine.of(2), Affine.of(6)),
                Axis.plain(Affine.ONE, Affine.of(99)),
                Axis.plain(Affine.of(6), Affine.ONE)));
    assertThat(one.equivalent(other)).isTrue();
    assertThat(one.equals(other)).isFalse();
    assertThat(one.equivalent(one.transpose(List.of(2, 1, 0)))).isFalse();
    assertThat(one.equivalent(one.slice(2, Affine.of(1), 1, Affine.of(5)).orElseThrow())).isFalse();
    List<IndexFunction> layouts = layouts();
    for (IndexFunction a : layouts) {
      for (IndexFunction b : layouts) {
        assertThat(a.equivalent(b)).isEqualTo(a.equals(b));
      }
    }
  }

  @Test
  void reshapesReadTheSameMemoryAndComposeWheneverStridesExist() {
    Random random = new Random(42);
    List<List<Affine>> targets =
        List.of(
            shape(24),
            shape(4, 6),
            shape(2, 12),
            shape(2, 2, 6),
            shape(3, 8),
            shape(1, 24, 1),
            shape(2, 1, 3, 4),
            shape(6, 4),
            shape(2, 3, 2, 2));
    for (int round = 0; round < 2000; round++) {
      IndexFunction index = randomDense(targets.get(random.nextInt(targets.size())), random);
      List<Affine> target = targets.get(random.nextInt(targets.size()));
      check(index, target, "seed 42, round " + round);
    }
  }

  /* A dense array, permuted, perhaps reversed along an axis. */
  private static IndexFunction randomDense(List<Affine> shape, Random random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      order.add(random.nextInt(order.size() + 1), i);
    }
    IndexFunction index = IndexFunction.rowMajor(shape);
    if (random.nextBoolean()) {
      index = index.transpose(order);
    }
    if (random.nextInt(4) == 0) {
      int axis = random.nextInt(index.rank());
      Affine extent = index.shape().get(axis);
      index = index.slice(axis, extent.minus(Affine.ONE), -1, extent).orElseThrow();
    }
    return index;
  }

  private static void check(IndexFunction index, List<Affine> target, String what) {
    var reshaped = index.reshape(target);
    Enumerated expected =
        Enumerated.of(index, 1).reshape(target.stream().map(Affine::asConstant).toList());
    assertThat(reshaped.isPresent())
        .as("%s: %s as %s", what, index, target)
        .isEqualTo(expected.isStrided());
    reshaped.ifPresent(
        view -> assertThat(Enumerated.of(view, 1)).as("%s: %s", what, index).isEqualTo(expected));
  }

  @Test
  void theBatchMovesThroughReshapes() {
    IndexFunction index = IndexFunction.rowMajor(shape(N, 3, 4));
    for (List<Affine> target :
        List.of(
            shape(N, 12),
            shape(Affine.batch(3), 4),
            shape(Affine.batch(12)),
            shape(Affine.batch(6), 2),
            shape(N, 2, 6),
            shape(1, N, 4, 3),
            shape(N, 12, 1))) {
      IndexFunction view = index.reshape(target).orElseThrow();
      for (long n : BATCHES) {
        assertThat(Enumerated.of(view, n))
            .as("%s", target)
            .isEqualTo(Enumerated.of(index, n).reshape(target.stream().map(d -> d.at(n)).toList()));
      }
    }
  }

  @Test
  void splittingTheBatchAcrossAxesComposesForEveryBatch() {
    IndexFunction index = IndexFunction.rowMajor(shape(Affine.batch(4), 3));
    for (List<Affine> target :
        List.of(
            shape(N, 4, 3),
            shape(4, N, 3),
            shape(2, Affine.batch(2), 3),
            shape(N, 12),
            shape(2, N, 6))) {
      IndexFunction view = index.reshape(target).orElseThrow();
      for (long n : BATCHES) {
        assertThat(Enumerated.of(view, n).offsets())
            .as("%s", target)
            .isEqualTo(Enumerated.of(index, n).offsets());
      }
    }
  }

  @Test
  void aBlockedAxisIsKeptOrNotReshaped() {
    IndexFunction index = IndexFunction.blocked(shape(N, 32, 2, 3), 1, 16);
    assertThat(index.reshape(shape(N, 32, 6))).isPresent();
    assertThat(index.reshape(shape(N, 1, 32, 2, 3))).isPresent();
    assertThat(index.reshape(shape(N, 192))).isEmpty();
    assertThat(index.reshape(shape(N, 4, 8, 2, 3))).isEmpty();
    IndexFunction view = index.reshape(shape(N, 32, 6)).orElseThrow();
    for (long n : BATCHES) {
      assertThat(Enumerated.of(view, n).offsets()).isEqualTo(Enumerated.of(index, n).offsets());
    }
  }

  @Test
  void emptyArraysReshapeFreely() {
    IndexFunction index = IndexFunction.rowMajor(shape(3, 0, 2)).transpose(List.of(2, 0, 1));
    IndexFunction view = index.reshape(shape(0, 7)).orElseThrow();
    assertThat(Enumerated.of(view, 3).offsets()).isEmpty();
    assertThat(view.spanElements(3)).isZero();
  }

  @Test
  void expandedAxesReshapeOnlyAmongThemselves() {
    IndexFunction index = IndexFunction.rowMajor(shape(2, 1)).expand(1, Affine.of(12));
    assertThat(index.reshape(shape(2, 3, 4))).isPresent();
    assertThat(index.reshape(shape(24))).isEmpty();
    check(index, shape(2, 3, 4), "expanded");
    check(index, shape(24), "expanded");
    check(IndexFunction.rowMajor(shape(1, 24)).expand(0, Affine.ONE), shape(4, 6), "expanded");
  }

  @Test
  void runsAreExactlyTheElementsReached() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      IndexFunction index = layouts().get(random.nextInt(layouts().size()));
      for (int i = 0; i < 2 && index.rank() > 0; i++) {
        int axis = random.nextInt(index.rank());
        Affine extent = index.shape().get(axis);
        if (extent.isConstant() && extent.constant() > 2 && !index.axes().get(axis).isBlocked()) {
          index =
              index
                  .slice(
                      axis,
                      Affine.of(1),
                      random.nextInt(1, 3),
                      Affine.of((extent.constant() - 1) / 2))
                  .orElseThrow();
        }
      }
      ElementRuns runs = ElementRuns.of(index, 3, 4096).orElseThrow();
      HashSet<Long> reached = new HashSet<>(Enumerated.of(index, 3).offsets());
      long covered = 0;
      for (int k = 0; k < runs.count(); k++) {
        covered += runs.ends()[k] - runs.starts()[k];
        assertThat(k == 0 || runs.ends()[k - 1] < runs.starts()[k]).isTrue();
      }
      assertThat(reached).as("seed 7, round %d: %s", round, index).allMatch(runs::contains);
      if (!index.isBlocked()) {
        assertThat(covered).as("seed 7, round %d: %s", round, index).isEqualTo(reached.size());
      }
    }
  }

  @Test
  void manyRunsAreNotListed() {
    IndexFunction column =
        IndexFunction.rowMajor(shape(100, 2)).slice(1, Affine.ZERO, 1, Affine.ONE).orElseThrow();
    assertThat(ElementRuns.of(column, 1, 99)).isEmpty();
    assertThat(ElementRuns.of(column, 1, 100)).isPresent();
  }

  @Test
  void textShowsOffsetExtentsAndStrides() {
    assertThat(IndexFunction.blocked(shape(N, 20, 2), 1, 16).toString())
        .isEqualTo("0+{N:64, 20:1/16:32, 2:16}");
  }

  @Test
  void anOpenAxisThatIsOneNowKeepsItsStride() {
    Affine open = Affine.ONE.opened();
    IndexFunction rows = IndexFunction.rowMajor(List.of(Affine.N, open, Affine.of(12)));
    IndexFunction heads =
        rows.reshape(List.of(Affine.N, open, Affine.of(3), Affine.of(4))).orElseThrow();
    assertThat(heads.axes().get(1).extent().isOpen()).isTrue();
    assertThat(heads.axes().get(1).stride()).isEqualTo(Affine.of(12));
    IndexFunction joined = rows.reshape(List.of(Affine.N, Affine.of(12))).orElseThrow();
    assertThat(joined.axes().getLast().stride()).isEqualTo(Affine.ONE);
  }
}
