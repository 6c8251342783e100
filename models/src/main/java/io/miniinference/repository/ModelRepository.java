package io.miniinference.repository;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where models lie: a folder of `NAME/VERSION/model.onnx`, of `NAME/model.onnx` or of `NAME.onnx`,
/// as they come; or one `.onnx` file, or the folder of one `model.onnx`. In a model's folder, or in
/// that of a version, a single `.onnx` file of any other name is the model, too. A file without a
/// version has version 1. The folder is looked at anew by each call.
public final class ModelRepository {
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}");
  private static final String FILE = "model.onnx";
  private static final String SUFFIX = ".onnx";
  private static final BigInteger FIRST = BigInteger.ONE;

  private final Path folder;
  private final List<String> only;

  /// @throws RepositoryException if there is no such folder or file
  public ModelRepository(Path folder) {
    this(folder, List.of());
  }

  /// @param only names beside which nothing is served, all if empty
  ModelRepository(Path folder, List<String> only) {
    if (!Files.isDirectory(folder) && !isModel(folder)) {
      throw new RepositoryException(
          "The model repository '" + folder + "' is not a folder, nor an .onnx file.");
    }
    this.folder = folder;
    this.only = List.copyOf(only);
  }

  public Path folder() {
    return folder;
  }

  /// All models with all their versions, by name.
  public List<StoredModel> stored() {
    return contents().models().values().stream()
        .filter(model -> only.isEmpty() || only.contains(model.name()))
        .toList();
  }

  /// All versions of one model.
  public Optional<StoredModel> stored(String name) {
    return stored().stream().filter(model -> model.name().equals(name)).findFirst();
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

  private record Contents(Map<String, StoredModel> models, Map<Path, String> skipped) {}

  private Contents contents() {
    var contents = new Contents(new TreeMap<>(), new LinkedHashMap<>());
    if (isModel(folder)) {
      add(file(nameOf(folder), folder), contents);
    } else if (isModel(folder.resolve(FILE))) {
      addFolder(folder.toAbsolutePath().normalize(), contents);
    } else {
      children(folder).stream()
          .filter(Files::isDirectory)
          .forEach(child -> addFolder(child, contents));
      children(folder).stream()
          .filter(ModelRepository::isModel)
          .forEach(file -> add(file(stem(file), file), contents));
      children(folder).stream()
          .filter(ModelRepository::isAlmostModel)
          .forEach(file -> contents.skipped.put(file, "its name has to end in " + SUFFIX));
    }
    return contents;
  }

  private static void add(StoredModel model, Contents contents) {
    if (contents.models.putIfAbsent(model.name(), model) != null) {
      contents.skipped.put(model.newest().path(), "there is a folder of this model");
    }
  }

  private static void addFolder(Path model, Contents contents) {
    Map<BigInteger, ModelFile> versions = new TreeMap<>();
    List<Path> folders = versionFolders(model);
    for (Path folder : folders) {
      BigInteger number = new BigInteger(name(folder));
      modelIn(folder).ifPresent(file -> addVersion(number, name(model), file, versions, contents));
    }
    modelWithoutVersion(model, versions.isEmpty())
        .ifPresent(file -> addVersion(FIRST, name(model), file, versions, contents));
    if (!versions.isEmpty()) {
      add(new StoredModel(name(model), model, List.copyOf(versions.values())), contents);
      folders.stream()
          .filter(folder -> modelIn(folder).isEmpty())
          .forEach(folder -> contents.skipped.put(folder, whyNone(folder)));
    } else if (!isHidden(model)) {
      contents.skipped.put(model, whyNone(model));
    }
  }

  private static void addVersion(
      BigInteger number,
      String model,
      Path file,
      Map<BigInteger, ModelFile> versions,
      Contents contents) {
    var version = new ModelFile(model, number.toString(), file);
    ModelFile known = versions.putIfAbsent(number, version);
    if (known != null) {
      contents.skipped.put(file, "version " + number + " is " + known.path());
    }
  }

  private static List<Path> versionFolders(Path model) {
    return readable(model).stream()
        .filter(version -> VERSION.matcher(name(version)).matches())
        .toList();
  }

  /* Beside versions a file of another name is something else, such as what they were made from. */
  private static Optional<Path> modelWithoutVersion(Path model, boolean isWithoutVersions) {
    Path usual = model.resolve(FILE);
    return isWithoutVersions || isModel(usual) ? modelIn(model) : Optional.empty();
  }

  /* The file of the usual name, or the only one of the format. */
  private static Optional<Path> modelIn(Path folder) {
    Path usual = folder.resolve(FILE);
    if (isModel(usual)) {
      return Optional.of(usual);
    }
    List<Path> models = readable(folder).stream().filter(ModelRepository::isModel).toList();
    return models.size() == 1 ? Optional.of(models.getFirst()) : Optional.empty();
  }

  private static String whyNone(Path model) {
    if (!Files.isReadable(model)) {
      return "this process may not read it";
    }
    List<Path> children = readable(model);
    return children.stream()
        .filter(child -> modelIn(child).isPresent())
        .findFirst()
        .map(child -> "'" + name(child) + "' is no version number")
        .or(() -> unreadable(children))
        .or(() -> otherName(children))
        .orElse("it holds neither VERSION/model.onnx nor model.onnx");
  }

  private static Optional<String> unreadable(List<Path> children) {
    return children.stream()
        .filter(child -> Files.isDirectory(child) && !Files.isReadable(child))
        .findFirst()
        .map(child -> "this process may not read its folder '" + name(child) + "'");
  }

  /* Something is there, but none that is surely the model, right in the folder or in one of a version. */
  private static Optional<String> otherName(List<Path> children) {
    List<Path> files =
        Stream.concat(
                children.stream(), children.stream().flatMap(version -> readable(version).stream()))
            .filter(Files::isRegularFile)
            .toList();
    return files.stream()
        .filter(file -> isModel(file) || isAlmostModel(file))
        .findFirst()
        .map(file -> "'" + name(file) + "' has to be named " + FILE)
        .or(() -> notOnnx(files));
  }

  /* What other backends of Triton serve. */
  private static Optional<String> notOnnx(List<Path> files) {
    return files.stream()
        .filter(file -> stem(file).equals("model"))
        .findFirst()
        .map(file -> "'" + name(file) + "' is not an ONNX model");
  }

  private static StoredModel file(String name, Path file) {
    return new StoredModel(name, null, List.of(new ModelFile(name, FIRST.toString(), file)));
  }

  private static boolean isModel(Path file) {
    return Files.isRegularFile(file) && name(file).endsWith(SUFFIX);
  }

  private static boolean isAlmostModel(Path file) {
    return Files.isRegularFile(file)
        && !isModel(file)
        && name(file).toLowerCase(Locale.ROOT).endsWith(SUFFIX);
  }

  /// Of systems and tools: `lost+found`, `.git`, and what Kubernetes puts into its volumes.
  private static boolean isHidden(Path path) {
    return name(path).startsWith(".") || name(path).equals("lost+found");
  }

  /* A single file that is called as all are has the name of its folder, or of the one above if that
  is a version. */
  private static String nameOf(Path file) {
    Path parent = file.toAbsolutePath().normalize().getParent();
    if (!name(file).equals(FILE) || parent == null || parent.getFileName() == null) {
      return stem(file);
    }
    Path above = parent.getParent();
    boolean isVersion = VERSION.matcher(name(parent)).matches();
    return isVersion && above != null && above.getFileName() != null ? name(above) : name(parent);
  }

  private static String stem(Path file) {
    String name = name(file);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /* Of a folder within the repository, which may be another's, such as that of a file system. */
  private static List<Path> readable(Path parent) {
    return Files.isDirectory(parent) && Files.isReadable(parent) ? children(parent) : List.of();
  }

  private static List<Path> children(Path parent) {
    try (Stream<Path> all = Files.list(parent)) {
      return all.sorted().toList();
    } catch (IOException e) {
      throw new RepositoryException("cannot list the model folder " + parent, e);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
