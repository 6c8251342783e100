package io.miniinference.repository;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Where models lie: a folder of `NAME/VERSION/model.onnx`, of `NAME/model.onnx` or of `NAME.onnx`,
/// as they come; or one `.onnx` file, or the folder of one `model.onnx`. In a model's folder, or in
/// that of a version, a single `.onnx` file of any other name is the model, too, and a folder of
/// that name that holds a `model.onnx`, as Triton has a model of several files; so is that in a
/// folder `onnx`, as in repositories of the Hugging Face Hub. A file without a version has version
/// 1. Names that begin with a dot are those of systems and tools, and name no model. What is one
///    model may be [given a name][#named], and then be the folder of its versions, too. The folder
///    is looked at anew by each call.
public final class ModelRepository {
  private final Path folder;
  private final List<String> only;
  private final Rules rules;
  private final @Nullable String name;

  /// What is set for the folders of models.
  @FunctionalInterface
  public interface Rules {
    /// What is set for one.
    ///
    /// @param model its folder
    FolderRules of(Path model);
  }

  /// @throws RepositoryException if there is no such folder or file
  public ModelRepository(Path folder) {
    this(folder, _ -> FolderRules.none());
  }

  /// @throws RepositoryException if there is no such folder or file
  public ModelRepository(Path folder, Rules rules) {
    this(folder, List.of(), rules, null);
  }

  /// @param only names beside which nothing is served
  ModelRepository(Path folder, List<String> only) {
    this(folder, only, _ -> FolderRules.none(), null);
  }

  private ModelRepository(Path folder, List<String> only, Rules rules, @Nullable String name) {
    if (!Files.isDirectory(folder) && !Listing.isModel(folder)) {
      throw new RepositoryException(
          "The model repository '"
              + folder.toAbsolutePath()
              + "' is not a folder, nor an .onnx file.");
    }
    this.folder = folder;
    this.only = List.copyOf(only);
    this.rules = rules;
    this.name = name;
  }

  /// The same with a name for its model, if it is one model: a file, or a folder that holds
  /// `model.onnx`, `VERSION/model.onnx` or a single `.onnx` file. Models in folders of their own
  /// keep their names.
  public ModelRepository named(String name) {
    return new ModelRepository(folder, only, rules, name);
  }

  /// Whether it is one model that can be [given a name][#named].
  public boolean isOneModel() {
    return Listing.isModel(folder) || isModelsFolder() || isFolderOfVersions();
  }

  private boolean isModelsFolder() {
    return Listing.isModel(folder.resolve(Listing.FILE)) || ModelFolder.isOfHub(folder);
  }

  /* Or of a single file; what lies beside them is no model of its own. */
  private boolean isFolderOfVersions() {
    return inFolder(whole(), Listing.name(folder)).stored().isPresent()
        && Listing.readable(folder).stream()
            .filter(child -> Files.isDirectory(child) && !ModelFolder.isPart(child))
            .noneMatch(child -> inFolder(child, Listing.name(child)).stored().isPresent());
  }

  private Path whole() {
    return folder.toAbsolutePath().normalize();
  }

  public Path folder() {
    return folder;
  }

  /// All that lies there now.
  public RepositoryContents contents() {
    return contents(_ -> true);
  }

  /// What lies there now under the name of one model. Looks at no other.
  public RepositoryContents contents(String name) {
    return contents(name::equals);
  }

  /// All models with all their versions, by name.
  public List<StoredModel> stored() {
    return contents().models();
  }

  /// All versions of one model. Looks at no other.
  public Optional<StoredModel> stored(String name) {
    return contents(name).model(name);
  }

  /// The newest version of each model, by name.
  public List<ModelFile> models() {
    return stored().stream().map(StoredModel::newest).toList();
  }

  /// The newest version of one model.
  public Optional<ModelFile> find(String name) {
    return stored(name).map(StoredModel::newest);
  }

  /// What lies in the folder and is no version of a model, and why.
  public Map<Path, String> skipped() {
    return contents().skipped();
  }

  /// What lies in the folder and is no version of a model, with the model that it would be.
  public List<LeftOut> leftOut() {
    return contents().leftOut();
  }

  /// What one look finds.
  private record Found(Map<String, StoredModel> models, List<LeftOut> leftOut) {
    void add(StoredModel model) {
      if (models.putIfAbsent(model.name(), model) != null) {
        leaveOut(model.newest().path(), "there is a folder of this model");
      }
    }

    void add(ModelFolder folder) {
      folder.stored().ifPresent(this::add);
      leftOut.addAll(folder.leftOut());
    }

    void leaveOut(Path file, String why) {
      leftOut.add(new LeftOut(file, Listing.stem(file), "", why));
    }
  }

  private RepositoryContents contents(Predicate<String> wanted) {
    Found found = find(wanted);
    return new RepositoryContents(
        found.models.values().stream()
            .filter(model -> wanted.test(model.name()))
            .filter(model -> only.isEmpty() || only.contains(model.name()))
            .toList(),
        found.leftOut.stream().filter(one -> wanted.test(one.model())).toList());
  }

  /* Of what lies in a folder of models, that which is wanted; a single model whether or not it is. */
  private Found find(Predicate<String> wanted) {
    var found = new Found(new TreeMap<>(), new ArrayList<>());
    String own = name == null ? Listing.name(whole()) : name;
    if (Listing.isModel(folder)) {
      ModelFile file = ModelFile.of(folder);
      found.add(alone(name == null ? file : file.named(name)));
    } else if (isModelsFolder() || name != null && isFolderOfVersions()) {
      found.add(inFolder(whole(), own));
    } else {
      addChildren(found, wanted);
    }
    return found;
  }

  private void addChildren(Found found, Predicate<String> wanted) {
    List<Path> children =
        Listing.children(folder).stream().filter(child -> !Listing.isHidden(child)).toList();
    children.stream()
        .filter(child -> wanted.test(Listing.name(child)) && Files.isDirectory(child))
        .forEach(child -> found.add(inFolder(child, Listing.name(child))));
    children.stream()
        .filter(file -> wanted.test(Listing.stem(file)) && Listing.isModel(file))
        .forEach(file -> found.add(alone(fileOf(file))));
    children.stream()
        .filter(Listing::isAlmostModel)
        .forEach(file -> found.leaveOut(file, "its name has to end in .onnx"));
    children.forEach(
        child -> Listing.dangling(child).ifPresent(to -> found.leaveOut(child, "it is " + to)));
  }

  private ModelFolder inFolder(Path model, String name) {
    return ModelFolder.read(model, name, rules.of(model));
  }

  /* Among others a file has its own name, whatever that is. */
  private static ModelFile fileOf(Path file) {
    return new ModelFile(Listing.stem(file), ModelFolder.FIRST.toString(), file);
  }

  private static StoredModel alone(ModelFile file) {
    return new StoredModel(file.name(), null, List.of(file));
  }
}
