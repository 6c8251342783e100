package io.miniinference.service.startup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/// The first line of a start, as soon as there is a logger: what is about to happen.
final class FirstLine implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER + 1;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    ConfigurableEnvironment set = event.getEnvironment();
    logger()
        .info(
            "starting with Java {}: device {}, pool {}, port {}, {}",
            Runtime.version().feature(),
            set.getProperty("engine.device", "auto"),
            set.getProperty("engine.pool.capacity", "256MB"),
            set.getProperty("server.port", "8080"),
            set.containsProperty("engine.models.repository")
                ? "models of " + set.getProperty("engine.models.repository")
                : "the bundled models");
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(FirstLine.class);
  }
}
