package io.miniinference.service.startup;

import io.miniinference.service.grpc.GrpcPort;
import java.util.List;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/// Refuses ports that are none, before a library does without the name of the property, and one
/// port for two servers, before all models are loaded.
final class Ports implements EnvironmentPostProcessor, Ordered {
  private static final String REST = "server.port";
  private static final String GRPC = "spring.grpc.server.port";
  private static final String ACTUATOR = "management.server.port";
  private static final List<String> PROPERTIES = List.of(REST, GRPC, ACTUATOR);

  /// Of REST, where none is set.
  private static final int USUAL = 8080;

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
    refuseTwice(environment);
  }

  /* Actuator may share the port of REST, and has that of none other. */
  private static void refuseTwice(ConfigurableEnvironment environment) {
    int rest = port(environment, REST, USUAL);
    int grpc = port(environment, GRPC, rest > 0 ? GrpcPort.beside(rest) : NONE);
    if (grpc > 0 && grpc == rest) {
      throw new WrongPortException(GRPC, REST, grpc);
    }
    if (grpc > 0 && grpc == port(environment, ACTUATOR, NONE)) {
      throw new WrongPortException(GRPC, ACTUATOR, grpc);
    }
  }

  private static int port(ConfigurableEnvironment environment, String property, int unset) {
    String port = environment.getProperty(property);
    return port == null || port.isBlank() ? unset : Integer.parseInt(port.strip());
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
