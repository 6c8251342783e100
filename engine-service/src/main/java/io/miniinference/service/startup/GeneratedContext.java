package io.miniinference.service.startup;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.env.RandomValuePropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

/// Has a start take the beans from classes that Spring generated when the service was packed
/// (`generate_context` of the start script), which leaves out a third of its work: no configuration
/// is read and no condition is asked. They are the beans of a start without properties, so that one
/// with a property that may decide on beans finds them in the slow way.
final class GeneratedContext
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  private static final String USE = "spring.aot.enabled";

  /// What the name of the class that has all beans ends with; it begins with that of the
  /// application.
  private static final String INITIALIZER = "__ApplicationContextInitializer";

  /// The first elements of all properties that conditions of the libraries here ask for.
  static final Set<String> DECIDING = Set.of("spring", "server", "management", "resilience4j");

  /// Those among them that decide on no bean.
  private static final Set<ConfigurationPropertyName> HARMLESS =
      Set.of(
          name("server.port"),
          name("server.address"),
          name("spring.application.name"),
          name("spring.application.pid"),
          name("spring.application.version"),
          name("spring.grpc.server.port"));

  /// The file of properties that was there when the classes were generated.
  private static final String OWN_FILE = "'class path resource [application.yaml]'";

  private static ConfigurationPropertyName name(String name) {
    return ConfigurationPropertyName.of(name);
  }

  /// After all properties are known, and before the context is made.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    if (System.getProperty(USE) == null
        && isGenerated(event.getSpringApplication())
        && isOfTheUsualBeans(event.getEnvironment())) {
      System.setProperty(USE, "true");
    }
  }

  private static boolean isGenerated(SpringApplication application) {
    Class<?> main = application.getMainApplicationClass();
    return main != null
        && ClassUtils.isPresent(main.getName() + INITIALIZER, application.getClassLoader());
  }

  /// Whether nothing is set that may decide on beans.
  static boolean isOfTheUsualBeans(ConfigurableEnvironment environment) {
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (decides(source)) {
        return false;
      }
    }
    return true;
  }

  /* What cannot be looked through may have anything, but for the source of random numbers. */
  private static boolean decides(ConfigurationPropertySource source) {
    Object underlying = source.getUnderlyingSource();
    if (source instanceof IterableConfigurationPropertySource names) {
      return !isOwnFile(underlying) && names.stream().anyMatch(GeneratedContext::decides);
    }
    return !(underlying instanceof RandomValuePropertySource);
  }

  private static boolean isOwnFile(@Nullable Object source) {
    return source instanceof PropertySource<?> file && file.getName().contains(OWN_FILE);
  }

  private static boolean decides(ConfigurationPropertyName name) {
    return !name.isEmpty()
        && DECIDING.contains(name.getElement(0, Form.UNIFORM))
        && !HARMLESS.contains(name);
  }
}
