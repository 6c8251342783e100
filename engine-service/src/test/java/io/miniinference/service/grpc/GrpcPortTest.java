package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

/// Where gRPC listens if nothing says so.
final class GrpcPortTest {
  private static final String PORT = "spring.grpc.server.port";
  private static final String ADDRESS = "spring.grpc.server.address";

  private final MockEnvironment environment = new MockEnvironment();

  private void decide() {
    new GrpcPort().postProcessEnvironment(environment, new SpringApplication());
  }

  @ParameterizedTest
  @CsvSource({"8080, 8081", "65535, 0", "0, 0"})
  void itsPortIsTheOneAfterThatOfHttp(String http, String grpc) {
    environment.setProperty("server.port", http);

    decide();

    assertThat(environment.getProperty(PORT)).isEqualTo(grpc);
    assertThat(environment.getProperty(ADDRESS)).isNull();
  }

  @Test
  void whatIsKeptToOneAddressIsKeptToItWithBothPorts() {
    environment.setProperty("server.address", "127.0.0.1");

    decide();

    assertThat(environment.getProperty(ADDRESS)).isEqualTo("127.0.0.1");
  }

  @Test
  void whatIsSaidOfItStands() {
    environment
        .withProperty("server.address", "127.0.0.1")
        .withProperty(PORT, "9001")
        .withProperty(ADDRESS, "127.0.0.2");

    decide();

    assertThat(environment.getProperty(PORT)).isEqualTo("9001");
    assertThat(environment.getProperty(ADDRESS)).isEqualTo("127.0.0.2");
  }
}
