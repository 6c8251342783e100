package io.miniinference.service.grpc;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// How calls run: each on a virtual thread of its own, since it waits for its turn.
@Configuration(proxyBeanMethods = false)
class GrpcConfiguration {

  @Bean
  GrpcServerExecutorProvider grpcCalls() {
    Executor calls =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("grpc-", 0).factory());
    return () -> calls;
  }
}
