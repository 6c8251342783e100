package io.miniinference.service.catalog;

import io.miniinference.repository.ModelRepository;
import io.miniinference.repository.RepositoryContents;
import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.config.ModelSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Loads the models when the port is open, so that probes are answered meanwhile. If none can be
/// loaded, the service ends, unless there was none to load and some may come.
@Component
public final class ModelLoading implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoading.class);

  /// Names that the refusal of a model lists at most.
  private static final int NAMES_TOLD = 20;

  private final ModelLoads loads;
  private final Catalog catalog;
  private final WantedModels models;
  private final EngineProperties properties;
  private final ObjectProvider<EarlyModels> early;
  private volatile boolean running;

  ModelLoading(
      ModelLoads loads,
      Catalog catalog,
      WantedModels models,
      EngineProperties properties,
      ObjectProvider<EarlyModels> early) {
    this.early = early;
    this.loads = loads;
    this.catalog = catalog;
    this.models = models;
    this.properties = properties;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void start() {
    running = true;
    loads.exclusively(this::load);
    early.ifAvailable(EarlyModels::end);
    requireOne();
  }

  private void load() {
    ModelRepository repository = models.repository();
    RepositoryContents found = repository.contents();
    found
        .skipped()
        .forEach((path, why) -> LOG.warn("{} is left out of the repository: {}", path, why));
    found.leftOut().stream()
        .filter(one -> one.version().isEmpty())
        .forEach(one -> catalog.leaveOut(one.model(), one.why()));
    tellOfSettingsForNone(repository.folder(), found);
    List<Candidate> candidates = candidates(wanted(repository.folder(), found));
    candidates.forEach(one -> catalog.put(new CatalogEntry.Loading(one.name(), one.version())));
    catalog.entries().forEach(entry -> catalog.expect(entry.name(), ModelSettings.none()));
    candidates.forEach(one -> catalog.expect(one.name(), one.settings()));
    catalog.expectNoOthers();
    int count = catalog.entries().size();
    LOG.info("loading {} from {}", count == 1 ? "1 model" : count + " models", repository.folder());
    loads.load(candidates);
  }

  /* A model may come later; more often a name is misspelt. */
  private void tellOfSettingsForNone(Path folder, RepositoryContents found) {
    List<String> there = names(found);
    properties.models().settings().keySet().stream()
        .filter(name -> !there.contains(name))
        .sorted()
        .forEach(name ->
            LOG.warn(
                "engine.models.settings.{} is for no model in {}, which has {}",
                name,
                folder,
                listed(there)));
  }

  private void requireOne() {
    List<CatalogEntry> entries = catalog.entries();
    if (entries.stream().anyMatch(CatalogEntry.Ready.class::isInstance)) {
      return;
    }
    if (!entries.isEmpty() || !mayModelsCome()) {
      throw new NoModelException(entries, properties.models().isNoneNamed());
    }
    LOG.info("there is no model to load yet: those that come later are served then");
  }

  /* The poll looks at those that are named, and none may be. */
  private boolean mayModelsCome() {
    EngineProperties.Repository repository = properties.repository();
    return properties.models().isNoneNamed() ? repository.isOpen() : repository.mayBringModels();
  }

  /// The models stay while requests are answered; they are closed with the engine.
  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /* The newest version of each model comes first, so that no older one takes its room. */
  private List<Candidate> candidates(List<StoredModel> wanted) {
    List<List<Candidate>> models = wanted.stream().map(this::candidates).toList();
    List<Candidate> all = new ArrayList<>();
    int most = models.stream().mapToInt(List::size).max().orElse(0);
    for (int age = 0; age < most; age++) {
      for (List<Candidate> versions : models) {
        versions.stream().skip(age).limit(1).forEach(all::add);
      }
    }
    return all;
  }

  private List<Candidate> candidates(StoredModel model) {
    try {
      List<Candidate> candidates = models.candidates(model, null);
      candidates.stream().findFirst().ifPresent(Candidate::warn);
      return candidates;
    } catch (RuntimeException e) {
      loads.fail(model.name(), model.newest().version(), LoadProblem.of(model.name(), e));
      return List.of();
    }
  }

  private List<StoredModel> wanted(Path folder, RepositoryContents found) {
    List<String> names = properties.models().names();
    if (names.isEmpty() || properties.models().isNoneNamed()) {
      return names.isEmpty() ? found.models() : List.of();
    }
    return names.stream()
        .flatMap(name -> found.model(name).or(() -> missing(name, folder, found)).stream())
        .toList();
  }

  private Optional<StoredModel> missing(String name, Path folder, RepositoryContents found) {
    loads.fail(name, "", "not in " + folder + ", which has " + listed(names(found)));
    return Optional.empty();
  }

  private static List<String> names(RepositoryContents found) {
    return found.models().stream().map(StoredModel::name).toList();
  }

  private static String listed(List<String> names) {
    if (names.isEmpty()) {
      return "no model";
    }
    String first = String.join(", ", names.subList(0, Math.min(names.size(), NAMES_TOLD)));
    return names.size() > NAMES_TOLD ? first + ", …" : first;
  }
}
