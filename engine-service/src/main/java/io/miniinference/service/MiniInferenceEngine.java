package io.miniinference.service;

import io.miniinference.service.cli.CommandLines;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/// The program: `serve` starts the service, all other commands run without Spring.
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public final class MiniInferenceEngine {

  private MiniInferenceEngine() {}

  public static void main(String[] args) {
    int status = CommandLines.execute(args, MiniInferenceEngine::serve);
    boolean serves = args.length > 0 && args[0].equals("serve");
    if (status != 0 || !serves) {
      System.exit(status);
    }
  }

  private static void serve(List<String> properties) {
    SpringApplication.run(MiniInferenceEngine.class, properties.toArray(String[]::new));
  }
}
