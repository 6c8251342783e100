package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.json.JsonMapper;

final class GeneratedContextTest {
  /// Processes that are over before a costlier compiler would pay.
  private static final String BRIEF = "-XX:TieredStopAtLevel=1";

  /// Those that decide on no bean, and those of libraries that only tests have.
  private static final Set<String> OTHER_ROOTS =
      Set.of("engine", "logging", "debug", "trace", "info");

  @TempDir Path folder;

  @Test
  void aStartWithoutPropertiesHasTheUsualBeans() {
    assertThat(areUsual(new MapPropertySource("none", Map.of()))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine.models.repository",
        "engine.device",
        "server.port",
        "spring.grpc.server.port",
        "logging.level.root",
        "mie.progress"
      })
  void propertiesWithoutConditionsLeaveTheUsualBeans(String name) {
    assertThat(areUsual(new MapPropertySource("arguments", Map.of(name, "1")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.profiles.active",
        "spring.profiles.active[0]",
        "management.server.port",
        "management.endpoints.web.exposure.include",
        "server.ssl.bundle",
        "server.forward-headers-strategy",
        "SERVER.SSL.BUNDLE",
        "resilience4j.circuitbreaker.enabled",
        "spring.grpc.server.enabled"
      })
  void propertiesThatConditionsMayAskForDoNot(String name) {
    assertThat(areUsual(new MapPropertySource("arguments", Map.of(name, "1")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SPRING_PROFILES_ACTIVE", "MANAGEMENT_SERVER_PORT", "SERVER_SSL_BUNDLE"})
  void variablesOfTheEnvironmentCount(String name) {
    assertThat(areUsual(variables(name))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATH", "ENGINE_POOL_CAPACITY", "SERVER_PORT", "_", "KUBERNETES_PORT"})
  void variablesThatNoConditionAsksForDoNot(String name) {
    assertThat(areUsual(variables(name))).isTrue();
  }

  @Test
  void whatCannotBeLookedThroughMayDecide() {
    PropertySource<Object> vault =
        new PropertySource<>("vault", new Object()) {
          @Override
          public Object getProperty(String name) {
            return name;
          }
        };

    assertThat(areUsual(vault)).isFalse();
  }

  @Test
  void allFirstElementsOfPropertiesOfTheLibrariesHereAreKnown() throws IOException {
    Set<String> roots = new TreeSet<>();
    for (URL metadata :
        Collections.list(
            getClass()
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
      try (InputStream json = metadata.openStream()) {
        new JsonMapper()
            .readTree(json)
            .path("properties")
            .forEach(property -> roots.add(property.path("name").asString().split("\\.")[0]));
      }
    }

    assertThat(roots).containsAll(GeneratedContext.DECIDING);
    roots.removeAll(GeneratedContext.DECIDING);
    assertThat(roots).isSubsetOf(OTHER_ROOTS);
  }

  @Test
  void theGeneratedBeansAreThoseOfAStartThatReadsItsConfiguration() throws Exception {
    Path classes = generate();

    List<String> generated = java(List.of(classes), BeanNames.class);
    List<String> read = java(List.of(), BeanNames.class);

    assertThat(generated).contains(BeanNames.GENERATED + true);
    assertThat(read).contains(BeanNames.GENERATED + false);
    assertThat(beans(generated)).isNotEmpty().containsExactlyInAnyOrderElementsOf(beans(read));
  }

  /* Without those that read configurations. */
  private static List<String> beans(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith(BeanNames.BEAN))
        .filter(line -> !line.contains("org.springframework.context.annotation.internal"))
        .toList();
  }

  private Path generate() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path sources = Files.createDirectories(folder.resolve("sources"));
    java(
        List.of(),
        SpringApplicationAotProcessor.class,
        MiniInferenceEngine.class.getName(),
        sources.toString(),
        folder.resolve("resources").toString(),
        classes.toString(),
        "io.miniinference",
        "mie-service",
        "serve");
    compile(sources, classes);
    return classes;
  }

  private void compile(Path sources, Path classes) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of("-J" + BRIEF, "-proc:none", "-nowarn", "-d", classes.toString()));
    command.addAll(List.of("-cp", classPath(List.of(classes))));
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(command::add);
    }
    run(command);
  }

  private List<String> java(List<Path> added, Class<?> main, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(BRIEF, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath(added), main.getName()));
    command.addAll(Arrays.asList(arguments));
    return run(command);
  }

  private static String classPath(List<Path> added) {
    return Stream.concat(
            added.stream().map(Path::toString), Stream.of(System.getProperty("java.class.path")))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private List<String> run(List<String> command) throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor()).as(() -> read(out)).isZero();
    return Files.readAllLines(out, StandardCharsets.UTF_8);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static PropertySource<?> variables(String name) {
    return new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, "1"));
  }

  private static boolean areUsual(PropertySource<?> source) {
    var environment = new StandardEnvironment();
    var sources = environment.getPropertySources();
    sources.stream().toList().forEach(other -> sources.remove(other.getName()));
    sources.addFirst(source);
    ConfigurationPropertySources.attach(environment);
    return GeneratedContext.isOfTheUsualBeans(environment);
  }
}
