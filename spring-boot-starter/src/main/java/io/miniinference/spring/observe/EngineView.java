package io.miniinference.spring.observe;

import io.miniinference.runtime.Engine;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// What health, meters and endpoints look at: the engine and the models of a process as they are at
/// this moment. An application has its engine and its models as long as it runs; one that opens,
/// loads and unloads meanwhile, such as the service, makes a bean of its own.
public interface EngineView {

  /// The engine while it is open.
  Optional<Engine> engine();

  /// Why the engine is not open, if it is not.
  String whyClosed();

  /// All models that are to be served, in the order of their names.
  List<ModelView> models();

  /// Whether those models take requests without which the process is not ready.
  boolean areRequiredModelsReady();

  /// Has a listener told the name of each model, those that are known and those to come. It may
  /// hear of one more than once.
  void onModel(Consumer<String> listener);

  /// What is known of one model.
  default Optional<ModelView> model(String name) {
    return models().stream().filter(model -> model.name().equals(name)).findFirst();
  }
}
