package io.miniinference.spring;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.runtime.Engine;
import io.miniinference.spring.observe.EngineView;
import io.miniinference.spring.observe.ModelView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The engine and the models of an application, which are open and loaded as long as it runs. What
/// the load of each took is not known: they are loaded together.
final class ApplicationView implements EngineView {
  private final InferenceEngine engine;
  private final LoadedModels models;

  ApplicationView(InferenceEngine engine, LoadedModels models) {
    this.engine = engine;
    this.models = models;
  }

  @Override
  public Optional<Engine> engine() {
    return Optional.of(engine.runtime());
  }

  @Override
  public String whyClosed() {
    return "the application ended";
  }

  @Override
  public List<ModelView> models() {
    return models.all().stream()
        .map(ApplicationView::view)
        .sorted(Comparator.comparing(ModelView::name))
        .toList();
  }

  private static ModelView view(InferenceModel model) {
    return model.isClosed()
        ? ModelView.other(model.name(), "", "closed", "the application closed it")
        : ModelView.ready(model.name(), "", model.runtime(), Double.NaN);
  }

  @Override
  public boolean areRequiredModelsReady() {
    return models.all().stream().noneMatch(InferenceModel::isClosed);
  }

  @Override
  public void onModel(Consumer<String> listener) {
    models.all().forEach(model -> listener.accept(model.name()));
  }
}
