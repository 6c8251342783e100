package io.miniinference.service.startup;

import java.util.List;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/// Refuses ports that are none, before a library does without the name of the property.
final class Ports implements EnvironmentPostProcessor, Ordered {
  private static final List<String> PROPERTIES =
      List.of("server.port", "spring.grpc.server.port", "management.server.port");

  /// Turns a server off.
  private static final int NONE = -1;

  private static final int LARGEST = 65_535;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    for (String property : PROPERTIES) {
      String port = environment.getProperty(property);
      if (port != null && !port.isBlank() && !isPort(port.strip())) {
        throw new WrongPortException(property, port);
      }
    }
  }

  private static boolean isPort(String text) {
    try {
      int port = Integer.parseInt(text);
      return port >= NONE && port <= LARGEST;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /// After the configuration's files were read, and before one port follows from another.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE - 1;
  }
}
