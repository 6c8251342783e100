package io.miniinference.service.grpc;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/// The port of gRPC where none is set: the one after that of HTTP, as Triton's clients expect it,
/// or any free one beside any free one.
public final class GrpcPort implements EnvironmentPostProcessor, Ordered {
  private static final String PROPERTY = "spring.grpc.server.port";
  private static final int HTTP = 8080;
  private static final int LARGEST = 65_535;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (!environment.containsProperty(PROPERTY)) {
      int http = environment.getProperty("server.port", Integer.class, HTTP);
      int grpc = http <= 0 || http == LARGEST ? 0 : http + 1;
      environment
          .getPropertySources()
          .addLast(new MapPropertySource("grpcPort", Map.of(PROPERTY, grpc)));
    }
  }

  /// After the configuration's files were read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
