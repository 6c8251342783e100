package io.miniinference.spring.names;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// Refuses properties `engine.*` that no class binds, wherever they are set, and `enigne.*` that
/// are bound as `engine.*`: a misspelt name would otherwise leave a default in force without a
/// word. It looks when all classes of configuration are read, and before models are looked for in
/// what the properties name.
final class UnknownProperties implements BeanDefinitionRegistryPostProcessor, Ordered {
  private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("engine");

  private static final Bound SERVICE = new Bound(ROOT, ServiceNames.belowRoot());

  /// What Spring Boot binds for each server, so that somebody looks for it here, too.
  private static final Set<String> OF_SERVERS = Set.of("port", "address", "ssl", "tls");

  /// What Kubernetes sets in each container for a Service, behind the Service's name: those of one
  /// that is called `engine`, or begins with it, look like properties.
  private static final Pattern LINK = Pattern.compile("\\.(port|service\\.(host|port))([.\\[].*)?");

  private static final String HOST_OF_LINK = ".service.host";

  /// What a `model.yaml` has as a list.
  private static final String PREPARE = ".prepare";

  private static final String SHAPES = ", such as 'batch=1,sequence=32; sequence=16..64/16'";

  /// A prefix and the names below it.
  private record Bound(ConfigurationPropertyName prefix, KnownNames names) {
    boolean has(ConfigurationPropertyName name, boolean areWordsSplit) {
      return prefix.isAncestorOf(name)
          && names.has(elements(name, prefix.getNumberOfElements()), areWordsSplit);
    }

    boolean isAbove(ConfigurationPropertyName name) {
      return prefix.isAncestorOf(name)
          && names.isAbove(elements(name, prefix.getNumberOfElements()));
    }
  }

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    if (registry instanceof ConfigurableListableBeanFactory beans) {
      refuseUnknown(beans);
    }
  }

  /* Most starts set nothing that the records do not have, and need not look at all other beans. */
  private static void refuseUnknown(ConfigurableListableBeanFactory beans) {
    var environment =
        beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class);
    List<Bound> records = known(beans, Class::isRecord);
    if (!problems(environment, records).isEmpty()) {
      List<String> problems = problems(environment, known(beans, _ -> true));
      if (!problems.isEmpty()) {
        throw new UnknownPropertyException(problems);
      }
    }
  }

  private static List<String> problems(Environment environment, List<Bound> known) {
    List<String> problems = new ArrayList<>();
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names) {
        boolean isEnvironment =
            source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
        Set<String> services = isEnvironment ? services(names) : Set.of();
        names.stream()
            .filter(ROOT::isAncestorOf)
            .filter(name -> !isLink(name.toString(), services))
            .filter(name -> !isKnown(name, known, isEnvironment))
            .filter(name -> !isEmptyGroup(name, known, source))
            .map(name -> problem(name, source, remedy(name, known, isEnvironment)))
            .forEach(problems::add);
        names.stream()
            .filter(name -> isRootMisspelt(name) && isKnown(belowRoot(name), known, isEnvironment))
            .map(name -> problem(name, source, theNearest(belowRoot(name).toString())))
            .forEach(problems::add);
      }
    }
    return problems.stream().distinct().toList();
  }

  /* As names of properties begin that tell of them. */
  private static Set<String> services(IterableConfigurationPropertySource names) {
    return names.stream()
        .map(ConfigurationPropertyName::toString)
        .filter(name -> name.endsWith(HOST_OF_LINK))
        .map(name -> name.substring(0, name.length() - HOST_OF_LINK.length()))
        .collect(Collectors.toSet());
  }

  private static boolean isLink(String name, Set<String> services) {
    return services.stream()
        .anyMatch(service ->
            name.startsWith(service) && LINK.matcher(name.substring(service.length())).matches());
  }

  private static boolean isKnown(
      ConfigurationPropertyName name, List<Bound> known, boolean areWordsSplit) {
    return known.stream().anyMatch(bound -> bound.has(name, areWordsSplit));
  }

  /* As YAML has it: `settings: {}`, or `http:` with all that was below it taken out. */
  private static boolean isEmptyGroup(
      ConfigurationPropertyName name, List<Bound> known, ConfigurationPropertySource source) {
    var property = source.getConfigurationProperty(name);
    return property != null
        && "".equals(property.getValue())
        && known.stream().anyMatch(bound -> bound.isAbove(name));
  }

  /* Two letters in the wrong order are two changes. */
  private static boolean isRootMisspelt(ConfigurationPropertyName name) {
    return name.getNumberOfElements() > 1
        && !ROOT.isAncestorOf(name)
        && EditDistance.between(name.getElement(0, Form.UNIFORM), ROOT.toString()) <= 2;
  }

  private static ConfigurationPropertyName belowRoot(ConfigurationPropertyName name) {
    return ROOT.append(name.subName(1));
  }

  private static List<Bound> known(
      ConfigurableListableBeanFactory beans, Predicate<Class<?>> among) {
    List<Bound> known = new ArrayList<>();
    for (String bean : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(bean, false);
      if (type != null && among.test(type)) {
        bound(beans, bean, type).forEach(known::add);
      }
    }
    return known;
  }

  /* By the class, or by the method that makes the bean. */
  private static Stream<Bound> bound(
      ConfigurableListableBeanFactory beans, String bean, Class<?> type) {
    return beans.findAllAnnotationsOnBean(bean, ConfigurationProperties.class, false).stream()
        .map(annotation -> ConfigurationPropertyName.of(annotation.prefix()))
        .filter(prefix -> ROOT.equals(prefix) || ROOT.isAncestorOf(prefix))
        .map(prefix -> new Bound(prefix, names(type)));
  }

  /* Those of an application's class that is no record are its own. */
  private static KnownNames names(Class<?> type) {
    return type.isRecord() ? KnownNames.of(type) : new KnownNames.Values();
  }

  private static List<String> elements(ConfigurationPropertyName name, int from) {
    return IntStream.range(from, name.getNumberOfElements())
        .mapToObj(i -> name.getElement(i, Form.ORIGINAL))
        .toList();
  }

  private static String problem(
      ConfigurationPropertyName name, ConfigurationPropertySource source, String remedy) {
    return "'%s' (%s): %s".formatted(WrittenName.of(name), origin(name, source), remedy);
  }

  private static String remedy(
      ConfigurationPropertyName name, List<Bound> known, boolean areWordsSplit) {
    if (SERVICE.has(name, areWordsSplit)) {
      return "this is a property of the service, and the starter does not have it";
    }
    String nearest = nearest(name, known);
    if (name.toString().startsWith(nearest + "[")) {
      return "'%s' is one text, and no list%s"
          .formatted(nearest, nearest.endsWith(PREPARE) ? SHAPES : "");
    }
    if (isLike(name, nearest)) {
      return theNearest(nearest);
    }
    return OF_SERVERS.contains(last(name.toString()))
        ? "servers are Spring Boot's: server.* for REST, spring.grpc.server.* for gRPC,"
            + " management.server.* for Actuator"
        : "no property is like it, and all names below 'engine' are checked, variables of the"
            + " environment among them. One of your own is taken where a class with"
            + " @ConfigurationProperties binds it, such as a record with the prefix engine, or it"
            + " has another prefix";
  }

  private static String theNearest(String name) {
    return "the nearest is '" + name + "'";
  }

  private static String nearest(ConfigurationPropertyName name, List<Bound> known) {
    return known.stream()
        .flatMap(bound -> bound.names.all(bound.prefix.toString(), elements(name, 0)).stream())
        .min(Comparator.comparingInt(candidate -> distance(name.toString(), candidate)))
        .orElse("none");
  }

  /* In the same group, or with half of its letters. */
  private static boolean isLike(ConfigurationPropertyName name, String nearest) {
    String text = name.toString();
    return group(text).equals(group(nearest))
        || 2 * distance(text, nearest) <= text.length() - ROOT.toString().length() - 1;
  }

  private static String group(String name) {
    return name.split("\\.")[1];
  }

  private static int distance(String name, String candidate) {
    boolean isInAnotherGroup = last(name).equals(last(candidate));
    return isInAnotherGroup ? 1 : EditDistance.between(name, candidate);
  }

  private static String last(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String origin(ConfigurationPropertyName name, ConfigurationPropertySource source) {
    if (source.getUnderlyingSource() instanceof CommandLinePropertySource) {
      return "command line";
    }
    var property = source.getConfigurationProperty(name);
    return property == null || property.getOrigin() == null
        ? String.valueOf(source.getUnderlyingSource())
        : String.valueOf(property.getOrigin());
  }
}
