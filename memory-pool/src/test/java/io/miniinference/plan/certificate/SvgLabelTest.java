package io.miniinference.plan.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.layout.Affine;
import io.miniinference.plan.Block;
import io.miniinference.plan.live.LiveRange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Names in a picture, none over another and none under what is drawn later.
final class SvgLabelTest {
  private static SvgShape shape(String name, double left, double right, double height) {
    Block block = new Block(0, name, Affine.of(256), Block.Space.ARENA);
    Bar bar =
        new Bar(block, Bar.Role.BETWEEN, new LiveRange(0, 1), 0, 256, 256, "", "", null, List.of());
    return new SvgShape(bar, left, right, 100 - height, 100);
  }

  private static Optional<SvgLabel> label(SvgShape... shapes) {
    return SvgLabel.of(shapes[0], List.of(shapes), List.of());
  }

  @Test
  void aNameStandsAlongItsBarWhereItFits() {
    SvgLabel label = label(shape("conv", 0, 100, 40)).orElseThrow();
    assertThat(label.text()).isEqualTo("conv");
    assertThat(label.isUpwards()).isFalse();
    assertThat(label.size()).isEqualTo(SvgLabel.LARGE);
  }

  @Test
  void aNameMovesBesideWhatIsDrawnOverItsBar() {
    SvgLabel label = label(shape("conv", 0, 100, 40), shape("in it", 0, 50, 40)).orElseThrow();
    assertThat(label.text()).isEqualTo("conv");
    assertThat(label.x()).isGreaterThan(50);
  }

  @Test
  void aNameStandsUpwardsInATallNarrowBar() {
    SvgLabel label = label(shape("max_pool2d", 0, 20, 120)).orElseThrow();
    assertThat(label.text()).isEqualTo("max_pool2d");
    assertThat(label.isUpwards()).isTrue();
  }

  @Test
  void aNameStandsAboveAFlatBarUnlessSomethingIsThere() {
    SvgShape flat = shape("linear", 0, 50, 2);
    assertThat(label(flat)).map(SvgLabel::text).contains("linear");
    assertThat(label(shape("classifier", 80, 90, 2)).orElseThrow().right()).isLessThan(91);
    assertThat(label(flat, new SvgShape(flat.bar(), 20, 60, 40, 98))).isEmpty();
    assertThat(SvgLabel.of(flat, List.of(flat), List.of(label(flat).orElseThrow()))).isEmpty();
  }

  @Test
  void aNameThatFitsNowhereKeepsItsEnd() {
    SvgLabel label = label(shape("a_very_long_name", 0, 50, 20)).orElseThrow();
    assertThat(label.text()).startsWith("…").endsWith("name");
    assertThat(label.right()).isLessThan(50);
  }

  @Test
  void aBarThatIsTooSmallHasNoName() {
    assertThat(label(shape("conv", 0, 8, 12))).isEmpty();
  }
}
