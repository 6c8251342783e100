package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PiecesTest {
  private final Pieces pieces = new Pieces(4);

  @Test
  void aMemberTakesItsOwnPartFromTheFrontAndThenTheEndsOfOthers() {
    pieces.cut(100, 6, 2);
    assertThat(List.of(pieces.claim(1), pieces.claim(0), pieces.claim(1))).containsExactly(3, 0, 4);
    assertThat(List.of(pieces.claim(1), pieces.claim(1), pieces.claim(1))).containsExactly(5, 2, 1);
    assertThat(List.of(pieces.claim(0), pieces.claim(1))).containsExactly(-1, -1);
  }

  @Test
  void oneMemberAloneTakesAllOfThemInOrder() {
    pieces.cut(7, 3, 1);
    assertThat(claimed(0)).containsExactly(0, 1, 2);
  }

  @Test
  void piecesCoverAllItemsOnceAndDifferByAtMostOne() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      int count = 1 + random.nextInt(64);
      long items = count + random.nextInt(10_000);
      pieces.cut(items, count, 1 + random.nextInt(4));
      String about = "%d items in %d pieces, seed %d".formatted(items, count, seed);
      assertThat(pieces.firstItem(0)).as(about).isZero();
      assertThat(pieces.firstItem(count)).as(about).isEqualTo(items);
      assertThat(IntStream.range(0, count).mapToObj(this::size).distinct())
          .as(about)
          .isSubsetOf(items / count, items / count + 1);
    }
  }

  private long size(int piece) {
    return pieces.firstItem(piece + 1) - pieces.firstItem(piece);
  }

  @Test
  void eachPieceGoesToOneOfThoseWhoClaimAtOnce() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 200; round++) {
        pieces.cut(1_000, 101, 4);
        List<Callable<List<Integer>>> members =
            IntStream.range(0, 4).<Callable<List<Integer>>>mapToObj(i -> () -> claimed(i)).toList();
        assertThat(all(threads.invokeAll(members)))
            .containsExactlyElementsOf(IntStream.range(0, 101).boxed().toList());
      }
    }
  }

  private static List<Integer> all(List<Future<List<Integer>>> parts)
      throws ExecutionException, InterruptedException {
    List<Integer> all = new ArrayList<>();
    for (Future<List<Integer>> part : parts) {
      all.addAll(part.get());
    }
    return all.stream().sorted().toList();
  }

  private List<Integer> claimed(int member) {
    List<Integer> claimed = new ArrayList<>();
    for (int piece = pieces.claim(member); piece >= 0; piece = pieces.claim(member)) {
      claimed.add(piece);
    }
    return claimed;
  }
}
