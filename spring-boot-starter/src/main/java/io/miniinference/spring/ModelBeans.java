package io.miniinference.spring;

import io.miniinference.engine.InferenceModel;
import io.miniinference.repository.ModelFile;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.Environment;

/// Makes a bean of each model that the properties ask for, under the model's name. An application
/// whose beans are generated ahead of time makes them when it starts, too: where it is built there
/// need be no models, and other ones may be served where it runs.
final class ModelBeans implements BeanDefinitionRegistryPostProcessor {
  private final Environment environment;
  private volatile ModelFinder finder =
      name -> {
        throw new IllegalStateException("no bean factory yet for model '" + name + "'");
      };

  /// Where the beans come from once there is a bean factory.
  @FunctionalInterface
  private interface ModelFinder {
    InferenceModel model(String name);
  }

  ModelBeans(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
      return;
    }
    EngineProperties properties =
        Binder.get(environment).bindOrCreate("engine", EngineProperties.class);
    for (ModelFile file : ConfiguredModels.files(properties)) {
      requireFree(registry, file);
      registry.registerBeanDefinition(file.name(), definition(file.name()));
    }
  }

  private static void requireFree(BeanDefinitionRegistry registry, ModelFile file) {
    String name = file.name();
    if (registry.containsBeanDefinition(name) && !registry.isBeanDefinitionOverridable(name)) {
      throw new ConfiguredModelException(
          "Each model is a bean under its name. '%s' is the name of the model %s, and the application has another bean of that name: %s"
              .formatted(name, file.path().toAbsolutePath(), registry.getBeanDefinition(name)),
          "Rename the model's folder or file, or the bean, or leave the model out:"
              + " engine.models.names lists those that become beans.");
    }
  }

  /* The engine closes the models; whatever uses one is destroyed before. */
  private RootBeanDefinition definition(String model) {
    var definition = new RootBeanDefinition(InferenceModel.class, () -> finder.model(model));
    definition.setDependsOn(EngineAutoConfiguration.LOADED_MODELS);
    definition.setDestroyMethodName("");
    return definition;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
    finder = name -> factory.getBean(LoadedModels.class).find(name).orElseThrow();
  }
}
