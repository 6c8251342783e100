package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import org.junit.jupiter.api.Test;

final class ToleranceTest {
  @Test
  void bothFormsAreRead() {
    assertThat(Tolerance.parse("rtol 1e-4, atol 1e-5")).contains(new Tolerance(1e-4, 1e-5, false));
    assertThat(Tolerance.parse("rtol 1e-4, atol 1e-5 * max|expected|"))
        .contains(new Tolerance(1e-4, 1e-5, true));
    assertThat(Tolerance.parse("")).isEmpty();
  }

  @Test
  void nanEqualsNanAndInfinitiesThemselves() {
    assertThat(Tolerance.EXACT.allows(Double.NaN, Double.NaN, 0)).isTrue();
    assertThat(Tolerance.DEFAULT.allows(Double.NaN, 1, 1)).isFalse();
    assertThat(Tolerance.DEFAULT.allows(1, Double.NaN, 1)).isFalse();
    assertThat(Tolerance.EXACT.allows(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0))
        .isTrue();
    assertThat(Tolerance.DEFAULT.allows(1e300, Double.POSITIVE_INFINITY, 1)).isFalse();
    assertThat(Tolerance.DEFAULT.allows(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1))
        .isFalse();
  }

  @Test
  void theDefaultIsRelativeToTheLargestMagnitude() {
    assertThat(Tolerance.DEFAULT.allows(0.0009, 0, 100)).isTrue();
    assertThat(Tolerance.DEFAULT.allows(0.0011, 0, 100)).isFalse();
  }

  @Test
  void outputsOf16BitsMayBeOffByTwoUnits() {
    Tolerance bf16 = new Tolerance(1e-3, 1e-7, false).ofOutputs(ElementType.BF16);
    assertThat(bf16.allows(1.015625, 1, 1)).isTrue();
    assertThat(bf16.allows(1.0234375, 1, 1)).isFalse();
    Tolerance f16 = Tolerance.DEFAULT.ofOutputs(ElementType.F16);
    assertThat(f16.allows(1 + 2 * 0x1p-10, 1, 1)).isTrue();
    assertThat(f16.allows(1 + 4 * 0x1p-10, 1, 1)).isFalse();
    assertThat(f16.allows(0x1p-10, 0, 1)).isTrue();
    assertThat(f16.allows(0x1p-9, 0, 1)).isFalse();
  }

  @Test
  void whatIsSaidOfOtherTypesStays() {
    Tolerance said = new Tolerance(1e-3, 1e-7, false);
    assertThat(said.ofOutputs(ElementType.F16)).isEqualTo(said);
    assertThat(Tolerance.DEFAULT.ofOutputs(ElementType.F32)).isEqualTo(Tolerance.DEFAULT);
    assertThat(Tolerance.EXACT.ofOutputs(ElementType.BF16)).isEqualTo(Tolerance.EXACT);
  }
}
