package io.miniinference.pool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The balanced tree against the JDK's, and its height against the bound of its inventors.
class BlockOrderTest {
  private static final Comparator<Block> BY_SIZE =
      Comparator.<Block>comparingLong(b -> b.size).thenComparingLong(b -> b.offset);

  private final BlockOrder order = new BlockOrder();
  private final TreeSet<Block> model = new TreeSet<>(BY_SIZE);
  private final Map<Block, BlockOrder.Node> nodes = new HashMap<>();

  private void add(Block block) {
    if (model.add(block)) {
      nodes.put(block, order.add(block, block.size, block.offset));
    }
  }

  private void remove(Block block) {
    model.remove(block);
    order.remove(requireNonNull(nodes.remove(block)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 20, 400})
  void agreesWithTheTreeOfTheJdk(int sizes) {
    long seed = 4_000 + sizes;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Block probe = new Block(random.nextInt(50), random.nextInt(sizes));
      Block found = model.ceiling(probe);
      assertThat(order.ceiling(probe.size, probe.offset)).as("seed %d", seed).isSameAs(found);
      assertThat(order.first()).isSameAs(model.isEmpty() ? null : model.first());
      assertThat(order.last()).isSameAs(model.isEmpty() ? null : model.last());
      assertThat(order.size()).isEqualTo(model.size());
      if (found != null && random.nextInt(100) < 45) {
        remove(found);
      } else {
        add(probe);
      }
    }
  }

  @Test
  void theLastBlockUpToAKeyIsFound() {
    for (int key : new int[] {30, 10, 20}) {
      order.add(new Block(0, key), key, 0);
    }
    assertThat(order.floor(9)).isNull();
    assertThat(order.floor(10)).extracting(b -> b.size).isEqualTo(10L);
    assertThat(order.floor(29)).extracting(b -> b.size).isEqualTo(20L);
    assertThat(order.floor(99)).extracting(b -> b.size).isEqualTo(30L);
  }

  @Test
  void aBlockTakesTheNodeOfAnother() {
    Block old = new Block(256, 256);
    Block grown = new Block(0, 512);
    BlockOrder.Node node = order.add(old, old.offset, 0);
    order.add(new Block(1024, 256), 1024, 0);
    order.replace(node, grown, grown.offset);
    assertThat(order.contains(node, grown)).isTrue();
    assertThat(order.contains(node, old)).isFalse();
    assertThat(order.floor(0)).isSameAs(grown);
  }

  @Test
  void aNodeThatWasRemovedIsNotContained() {
    Block block = new Block(0, 256);
    BlockOrder.Node node = order.add(block, 0, 0);
    order.remove(node);
    assertThat(order.contains(node, block)).isFalse();
  }

  @Test
  void noDescentIsLongerThanTheBound() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      blocks.add(new Block(0, i));
      add(blocks.getLast());
    }
    assertNoDescentIsLonger(blocks);
    for (int i = 0; i < blocks.size(); i++) {
      if (i % 1000 != 0) {
        remove(blocks.get(i));
      }
    }
    assertNoDescentIsLonger(blocks);
  }

  /// A tree of n nodes is at most 1.4405 log2(n + 2) high.
  private void assertNoDescentIsLonger(List<Block> probes) {
    long bound = (long) (1.4405 * Math.log(order.size() + 2.0) / Math.log(2));
    for (Block probe : probes) {
      long before = order.visits();
      order.ceiling(probe.size, 0);
      assertThat(order.visits() - before).isLessThanOrEqualTo(bound);
    }
  }
}
