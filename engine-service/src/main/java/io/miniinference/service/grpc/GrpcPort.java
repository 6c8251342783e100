package io.miniinference.service.grpc;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/// The port of gRPC where none is set: the one after that of HTTP, as Triton's clients expect it,
/// or any free one beside any free one. And its address: that of HTTP, so that a service which is
/// kept to one is kept to it with all of its ports.
public final class GrpcPort implements EnvironmentPostProcessor, Ordered {
  private static final String PROPERTY = "spring.grpc.server.port";
  private static final String ADDRESS = "spring.grpc.server.address";
  private static final String ADDRESS_OF_HTTP = "server.address";
  private static final int HTTP = 8080;
  private static final int LARGEST = 65_535;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (!environment.containsProperty(PROPERTY)) {
      int http = environment.getProperty("server.port", Integer.class, HTTP);
      add(environment, PROPERTY, http <= 0 ? 0 : beside(http));
    }
    String address = environment.getProperty(ADDRESS_OF_HTTP);
    if (address != null && !environment.containsProperty(ADDRESS)) {
      add(environment, ADDRESS, address);
    }
  }

  /// The port beside one of HTTP; 0 for any, where that is the last one.
  public static int beside(int http) {
    return http == LARGEST ? 0 : http + 1;
  }

  private static void add(ConfigurableEnvironment environment, String name, Object value) {
    environment.getPropertySources().addLast(new MapPropertySource(name, Map.of(name, value)));
  }

  /// After the configuration's files were read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
