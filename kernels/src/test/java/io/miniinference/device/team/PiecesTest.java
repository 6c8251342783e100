package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
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
  private static final int MOST_MEMBERS = 16;

  private final Pieces pieces = new Pieces(MOST_MEMBERS);

  /// Items `first` to `end − 1`.
  private record Claim(long first, long end) {}

  @Test
  void aMemberClaimsHalvesOfItsPartFromTheFrontAndThenHalvesOfOthersFromTheEnd() {
    pieces.cut(160, 16, 2);
    assertThat(claim(1)).isEqualTo(new Claim(80, 120));
    assertThat(claim(0)).isEqualTo(new Claim(0, 40));
    assertThat(List.of(claim(1), claim(1), claim(1)))
        .containsExactly(new Claim(120, 140), new Claim(140, 150), new Claim(150, 160));
    assertThat(claim(1)).isEqualTo(new Claim(60, 80));
    assertThat(claim(0)).isEqualTo(new Claim(40, 50));
    assertThat(claim(1)).isEqualTo(new Claim(50, 60));
    assertThat(List.of(pieces.claim(0), pieces.claim(1))).containsOnly(Pieces.NONE);
  }

  @Test
  void onePieceAMemberIsClaimedWhole() {
    pieces.cut(7, 2, 2);
    assertThat(List.of(claim(0), claim(0))).containsExactly(new Claim(0, 4), new Claim(4, 7));
    assertThat(pieces.claim(1)).isEqualTo(Pieces.NONE);
  }

  @Test
  void oneMemberAloneTakesAllItemsInOrderInFewClaims() {
    pieces.cut(1_000_000, 1024, 1);
    List<Claim> claims = claimed(0);
    assertThat(claims).hasSize(11).isSortedAccordingTo(Comparator.comparingLong(Claim::first));
    assertCoverAll(claims, 1_000_000, "one member");
  }

  @Test
  void claimsCoverAllItemsOnceWhicheverMemberClaims() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      int members = 1 + random.nextInt(MOST_MEMBERS);
      int count = 1 + random.nextInt(random.nextBoolean() ? 8 : 4_096);
      long items = count + (random.nextBoolean() ? random.nextInt(8) : random.nextLong(1L << 40));
      pieces.cut(items, count, members);
      List<Claim> claims = new ArrayList<>();
      long claimed = pieces.claim(random.nextInt(members));
      while (claimed != Pieces.NONE) {
        claims.add(new Claim(pieces.firstItem(claimed), pieces.endItem(claimed)));
        claimed = pieces.claim(random.nextInt(members));
      }
      assertCoverAll(
          claims,
          items,
          "%d items in %d pieces for %d members, seed %d".formatted(items, count, members, seed));
    }
  }

  @Test
  void eachItemGoesToOneOfThoseWhoClaimAtOnce() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(MOST_MEMBERS)) {
      for (int round = 0; round < 500; round++) {
        int members = 2 + random.nextInt(MOST_MEMBERS - 1);
        int count = 1 + random.nextInt(1_000);
        pieces.cut(10_000, count, members);
        List<Callable<List<Claim>>> all =
            IntStream.range(0, members)
                .<Callable<List<Claim>>>mapToObj(i -> () -> claimed(i))
                .toList();
        assertCoverAll(
            all(threads.invokeAll(all)),
            10_000,
            "%d pieces for %d members, seed %d".formatted(count, members, seed));
      }
    }
  }

  private static void assertCoverAll(List<Claim> claims, long items, String about) {
    long next = 0;
    for (Claim claim : claims.stream().sorted(Comparator.comparingLong(Claim::first)).toList()) {
      assertThat(claim.first).as(about).isEqualTo(next);
      assertThat(claim.end).as(about).isGreaterThan(claim.first);
      next = claim.end;
    }
    assertThat(next).as(about).isEqualTo(items);
  }

  private static List<Claim> all(List<Future<List<Claim>>> parts)
      throws ExecutionException, InterruptedException {
    List<Claim> all = new ArrayList<>();
    for (Future<List<Claim>> part : parts) {
      all.addAll(part.get());
    }
    return all;
  }

  private Claim claim(int member) {
    long claimed = pieces.claim(member);
    assertThat(claimed).isNotEqualTo(Pieces.NONE);
    return new Claim(pieces.firstItem(claimed), pieces.endItem(claimed));
  }

  private List<Claim> claimed(int member) {
    List<Claim> claims = new ArrayList<>();
    long claimed = pieces.claim(member);
    while (claimed != Pieces.NONE) {
      claims.add(new Claim(pieces.firstItem(claimed), pieces.endItem(claimed)));
      claimed = pieces.claim(member);
    }
    return claims;
  }
}
