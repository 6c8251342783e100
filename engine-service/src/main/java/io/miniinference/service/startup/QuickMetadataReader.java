package io.miniinference.service.startup;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.io.Resource;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;

/// Lets Spring read the classes of configurations with the small reader that it has beside that of
/// the JDK: the JDK's takes longer to warm up than it reads.
final class QuickMetadataReader
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  /* The name under which Spring Boot looks for one before it makes its own. */
  private static final String NAME =
      "org.springframework.boot.autoconfigure.internalCachingMetadataReaderFactory";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    if (context.getBeanFactory() instanceof BeanDefinitionRegistry registry) {
      var definition =
          new RootBeanDefinition(Cached.class, () -> new Cached(context.getClassLoader()));
      registry.registerBeanDefinition(NAME, definition);
    }
  }

  /// Reads each class once until the context is there.
  static final class Cached extends SimpleMetadataReaderFactory
      implements ApplicationListener<ContextRefreshedEvent> {
    private final Map<Resource, MetadataReader> readers = new ConcurrentHashMap<>();

    Cached(@Nullable ClassLoader loader) {
      super(loader);
    }

    @Override
    public MetadataReader getMetadataReader(Resource resource) throws IOException {
      MetadataReader known = readers.get(resource);
      if (known == null) {
        known = super.getMetadataReader(resource);
        readers.put(resource, known);
      }
      return known;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
      readers.clear();
    }
  }
}
