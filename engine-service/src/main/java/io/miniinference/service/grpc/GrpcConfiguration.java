package io.miniinference.service.grpc;

import io.grpc.BindableService;
import io.grpc.DecompressorRegistry;
import io.grpc.ServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.miniinference.service.config.EngineProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

/// How messages of calls may be compressed, and reflection for older clients. Tells the port.
@Configuration(proxyBeanMethods = false)
class GrpcConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcConfiguration.class);

  private final EngineProperties properties;

  GrpcConfiguration(EngineProperties properties) {
    this.properties = properties;
  }

  @EventListener
  void started(GrpcServerStartedEvent event) {
    LOG.info(
        "listening for gRPC on port {}, open to all who reach it{}",
        event.getPort(),
        properties.inference().token() == null ? "" : "; inference asks for its token");
  }

  @Bean
  <T extends ServerBuilder<T>> ServerBuilderCustomizer<T> deflate() {
    DecompressorRegistry known =
        DecompressorRegistry.getDefaultInstance().with(new DeflateCodec(), true);
    return builder -> builder.decompressorRegistry(known);
  }

  /// Reflection as clients ask for it that do not know its first version yet, such as grpcurl's
  /// older ones.
  @Bean
  @SuppressWarnings("deprecation") // it is what they ask for
  BindableService olderReflection() {
    return ProtoReflectionService.newInstance();
  }
}
