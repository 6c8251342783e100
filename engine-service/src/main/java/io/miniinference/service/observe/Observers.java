package io.miniinference.service.observe;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import org.springframework.beans.factory.ObjectProvider;

/// Who hears of Micrometer's observations.
public final class Observers {
  private Observers() {}

  /// Whether nothing but meters does, so that a request need only be timed in the same ones.
  public static boolean areMetersAlone(ObjectProvider<ObservationHandler<?>> handlers) {
    return handlers.stream().allMatch(DefaultMeterObservationHandler.class::isInstance);
  }
}
