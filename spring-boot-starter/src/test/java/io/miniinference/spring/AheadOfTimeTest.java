package io.miniinference.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.engine.InferenceModel;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

/// An application whose beans are generated when it is built (`process-aot` of Spring Boot's
/// plugins), where its models need not lie.
final class AheadOfTimeTest {
  @TempDir Path folder;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(EngineAutoConfiguration.class)
  @Import(Reader.class)
  static class Application {}

  static class Reader {
    final InferenceModel digits;

    Reader(@Qualifier("mnist-cnn") InferenceModel digits) {
      this.digits = digits;
    }
  }

  @AfterEach
  void endProcessing() {
    System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
  }

  @Test
  void modelsAreThoseOfTheStartAndNotOfTheBuild() throws Exception {
    ClassName initializer = generate("engine.models.repository=" + folder.resolve("not-here"));

    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (var classes =
        new URLClassLoader(classPath(compile()), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(classes);
      Class<?> start = classes.loadClass(Start.class.getName());
      Object name =
          start.getMethod("modelOf", String.class).invoke(null, initializer.reflectionName());

      assertThat(name).isEqualTo("mnist-cnn");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /// Runs among the generated classes, whose packages are those of what they make.
  public static final class Start {
    private Start() {}

    /// Starts the application and tells the model that its reader got.
    public static String modelOf(String initializer) throws ReflectiveOperationException {
      try (var started = new GenericApplicationContext()) {
        set(
            started,
            "engine.device=jvm",
            "engine.pool.capacity=16MB",
            "engine.models.names=mnist-cnn");
        initializer(Class.forName(initializer)).initialize(started);
        started.refresh();
        return started.getBean(Reader.class).digits.name();
      }
    }
  }

  private ClassName generate(String... properties) {
    System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
    try (var built = new AnnotationConfigApplicationContext()) {
      set(built, properties);
      built.register(Application.class);
      var generation =
          new DefaultGenerationContext(
              new ClassNameGenerator(ClassName.get(Application.class)),
              new FileSystemGeneratedFiles(this::folderOf));
      ClassName initializer =
          new ApplicationContextAotGenerator().processAheadOfTime(built, generation);
      generation.writeGeneratedContent();
      return initializer;
    } finally {
      System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
    }
  }

  private Path folderOf(Kind kind) {
    return folder.resolve(kind == Kind.SOURCE ? "sources" : "classes");
  }

  private static void set(ConfigurableApplicationContext context, String... properties) {
    TestPropertyValues.of(properties)
        .and("engine.cache.directory=target/device-cache")
        .applyTo(context);
  }

  private Path compile() throws IOException {
    Path classes = Files.createDirectories(folderOf(Kind.CLASS));
    List<String> arguments =
        new ArrayList<>(
            List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath()));
    try (Stream<Path> sources = Files.walk(folderOf(Kind.SOURCE))) {
      sources.map(Path::toString).filter(it -> it.endsWith(".java")).forEach(arguments::add);
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(failed).as("errors of the generated classes").isZero();
    return classes;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static URL[] classPath(Path generated) {
    return Stream.concat(
            Stream.of(generated), Stream.of(classPath().split(File.pathSeparator)).map(Path::of))
        .map(AheadOfTimeTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static ApplicationContextInitializer<GenericApplicationContext> initializer(
      Class<?> generated) throws ReflectiveOperationException {
    return (ApplicationContextInitializer<GenericApplicationContext>)
        generated.getDeclaredConstructor().newInstance();
  }
}
