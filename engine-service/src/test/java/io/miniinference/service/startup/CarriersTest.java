package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CarriersTest {
  private final @Nullable String before = System.getProperty(Carriers.PROPERTY);

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(Carriers.PROPERTY);
    } else {
      System.setProperty(Carriers.PROPERTY, before);
    }
  }

  @Test
  void thereAreMoreThanTheDeviceAndLargeBodiesCanTakeAtOnce() {
    System.clearProperty(Carriers.PROPERTY);
    Carriers.widen();

    assertThat(Integer.getInteger(Carriers.PROPERTY))
        .isGreaterThan(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void whoSetsThePropertyOfTheJvmIsLeftAlone() {
    System.setProperty(Carriers.PROPERTY, "1");
    Carriers.widen();

    assertThat(System.getProperty(Carriers.PROPERTY)).isEqualTo("1");
  }
}
