package io.miniinference.service;

import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/// The program: `serve` starts the service, all other commands run without Spring.
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public final class MiniInferenceEngine {

  public static void main(String[] args) {
    SpringApplication.run(
        MiniInferenceEngine.class, Arrays.copyOfRange(args, Math.min(1, args.length), args.length));
  }
}
