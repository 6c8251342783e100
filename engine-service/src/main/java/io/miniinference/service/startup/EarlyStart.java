package io.miniinference.service.startup;

import io.miniinference.service.catalog.EarlyModels;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.EarlyEngine;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.ConfigurableEnvironment;

/// Opens the engine and prepares the models as soon as the properties are known, while the
/// service's beans are made. The beans take what they find done.
public final class EarlyStart
    implements ApplicationListener<SpringApplicationEvent>,
        ApplicationContextInitializer<ConfigurableApplicationContext> {
  private @Nullable EarlyEngine engine;
  private @Nullable EarlyModels models;

  @Override
  public void onApplicationEvent(SpringApplicationEvent event) {
    if (event instanceof ApplicationEnvironmentPreparedEvent prepared && isService()) {
      begin(prepared.getEnvironment());
    } else if (event instanceof ApplicationFailedEvent && engine != null) {
      engine.close();
    }
  }

  private static boolean isService() {
    return !Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING);
  }

  private void begin(ConfigurableEnvironment environment) {
    EngineProperties properties = properties(environment);
    if (properties != null) {
      engine = new EarlyEngine(properties);
      models = new EarlyModels(properties, engine);
      models.begin();
    }
  }

  /* Those that cannot be bound are told when they are bound for the beans. */
  private static @Nullable EngineProperties properties(ConfigurableEnvironment environment) {
    try {
      return Binder.get(environment).bindOrCreate("engine", EngineProperties.class);
    } catch (RuntimeException e) {
      return null;
    }
  }

  /// What opened early; null if nothing could be begun.
  @Nullable EarlyEngine engine() {
    return engine;
  }

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    if (engine != null && models != null) {
      context.getBeanFactory().registerSingleton("earlyEngine", engine);
      context.getBeanFactory().registerSingleton("earlyModels", models);
    }
  }
}
