package io.miniinference.service.startup;

import io.miniinference.service.MiniInferenceEngine;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;

/// A program that starts the service and prints the names and classes of its beans, a line each,
/// and whether it took them from generated classes.
final class BeanNames {
  static final String BEAN = "bean ";
  static final String GENERATED = "generated ";
  private static final List<String> ARGUMENTS =
      List.of(
          "--server.port=0",
          "--spring.grpc.server.port=0",
          "--engine.device=jvm",
          "--engine.models.names=mnist-mlp");

  private BeanNames() {}

  public static void main(String[] args) {
    var application = new SpringApplication(MiniInferenceEngine.class);
    application.setMainApplicationClass(MiniInferenceEngine.class);
    try (var context = application.run(ARGUMENTS.toArray(String[]::new))) {
      Stream.of(context.getBeanDefinitionNames())
          .map(name -> BEAN + name + " " + className(context.getBean(name)))
          .forEach(System.out::println);
      System.out.println(GENERATED + Boolean.getBoolean("spring.aot.enabled"));
    }
  }

  private static String className(Object bean) {
    return bean.getClass().getName().replaceAll("\\$\\$Lambda/.*", " lambda");
  }
}
