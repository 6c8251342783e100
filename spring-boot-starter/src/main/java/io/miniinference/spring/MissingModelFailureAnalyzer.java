package io.miniinference.spring;

import io.miniinference.engine.InferenceModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.RepositoryException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/// Tells an application that wants a model which it does not have, mostly under another name than
/// the model's, which models it has. Spring would advise it to define a bean. It comes before
/// Spring's own, which asks the models' beans what they are, and gets none from a closed context.
@Order(0)
final class MissingModelFailureAnalyzer implements FailureAnalyzer {
  private final Environment environment;

  MissingModelFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    InjectionPoint wanting = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnsatisfiedDependencyException unsatisfied) {
        wanting = unsatisfied.getInjectionPoint();
      }
      if (isForModel(cause)) {
        return analysis(wanting, cause);
      }
    }
    return null;
  }

  private static boolean isForModel(Throwable cause) {
    return cause instanceof NoSuchBeanDefinitionException missing
        && !(missing instanceof NoUniqueBeanDefinitionException)
        && missing.getBeanType() == InferenceModel.class;
  }

  private @Nullable FailureAnalysis analysis(@Nullable InjectionPoint wanting, Throwable cause) {
    try {
      EngineProperties properties =
          Binder.get(environment).bindOrCreate("engine", EngineProperties.class);
      return new FailureAnalysis(
          wanted(wanting) + ", and " + present(properties),
          "Give the model's name, which is that of its folder or file, to @Qualifier, or have it"
              + " loaded: engine.models.repository names the folder of models, and"
              + " engine.models.names those of them that are loaded (all, if it is left out).",
          cause);
    } catch (RepositoryException | NoSuchModelException | ConfiguredModelException e) {
      return null;
    }
  }

  private static String wanted(@Nullable InjectionPoint wanting) {
    if (wanting == null) {
      return "A bean wants a model";
    }
    Qualifier qualifier = wanting.getAnnotation(Qualifier.class);
    return wanting.getMember().getDeclaringClass().getName()
        + " wants "
        + (qualifier == null ? "a model" : "the model '" + qualifier.value() + "'");
  }

  private static String present(EngineProperties properties) {
    List<ModelFile> files = ConfiguredModels.files(properties);
    if (!files.isEmpty()) {
      return files.stream()
          .map(ModelFile::name)
          .collect(Collectors.joining(", ", "loaded are: ", ""));
    }
    return properties.models().repository() == null
        ? "no model is configured"
        : "there is none in " + properties.models().repository();
  }
}
