package io.miniinference.service.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.miniinference.service.doubles.LoggedLines;
import org.junit.jupiter.api.Test;

final class SpecialisationMetersTest {

  @Test
  void aModelWithVersionsOrLoadedAgainIsShownOnce() {
    var registry = new SimpleMeterRegistry();
    var meters = new SpecialisationMeters(registry, new Catalog());

    try (var logged = new LoggedLines(MeterRegistry.class)) {
      meters.show("open");
      meters.show("other");
      meters.show("open");

      assertThat(logged.containing("already registered")).isEmpty();
    }
    for (String name : new String[] {"kept", "bytes", "kernels"}) {
      assertThat(registry.find("engine.specialisations." + name).gauges()).hasSize(2);
    }
  }
}
