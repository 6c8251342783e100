package io.miniinference.repository;

import static io.miniinference.repository.Listing.FILE;
import static io.miniinference.repository.Listing.name;
import static io.miniinference.repository.Listing.readable;

import io.miniinference.onnx.Quote;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The folder of one model and what lies in it: versions, and what is left out.
final class ModelFolder {
  static final BigInteger FIRST = BigInteger.ONE;

  /// Where repositories of the Hugging Face Hub have a model in this format, beside those in
  /// others.
  private static final String HUB = "onnx";

  private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}");

  private final Path folder;
  private final String model;
  private final Optional<String> given;
  private final String whyAltogether;
  private final Map<BigInteger, ModelFile> versions = new TreeMap<>();
  private final List<LeftOut> leftOut = new ArrayList<>();

  private ModelFolder(Path folder, String model, FolderRules rules) {
    this.folder = folder;
    this.model = model;
    given = Optional.of(rules.file()).filter(name -> !name.isEmpty());
    whyAltogether = rules.leftOut();
  }

  /// @param name of the model
  static ModelFolder read(Path folder, String name, FolderRules rules) {
    var model = new ModelFolder(folder, name, rules);
    model.read();
    return model;
  }

  /// Whether a folder is a repository of the Hub that has a model in this format.
  static boolean isOfHub(Path folder) {
    return Files.isRegularFile(folder.resolve("config.json"))
        && read(folder.resolve(HUB), HUB, FolderRules.none()).stored().isPresent();
  }

  /// Whether a folder lies in that of a model, and is none of a model of its own.
  static boolean isPart(Path folder) {
    return isVersion(folder) || name(folder).equals(HUB);
  }

  static boolean isVersion(Path folder) {
    return VERSION.matcher(name(folder)).matches();
  }

  /// The model; empty if it has no version.
  Optional<StoredModel> stored() {
    return versions.isEmpty()
        ? Optional.empty()
        : Optional.of(new StoredModel(model, folder, List.copyOf(versions.values())));
  }

  List<LeftOut> leftOut() {
    return leftOut;
  }

  private void read() {
    if (!whyAltogether.isEmpty()) {
      leaveOut(folder, "", whyAltogether);
      return;
    }
    if (given.isPresent() && !isPlain(given.get())) {
      leaveOut(
          folder,
          "",
          "the default_model_filename %s is not the name of a file"
              .formatted(Quote.of(given.get())));
      return;
    }
    List<Path> withoutModel = new ArrayList<>();
    readable(folder).stream()
        .filter(ModelFolder::isVersion)
        .forEach(version ->
            modelIn(version)
                .ifPresentOrElse(
                    file -> addVersion(number(version), file), () -> withoutModel.add(version)));
    modelWithoutVersion().ifPresent(file -> addVersion(FIRST, file));
    if (!versions.isEmpty()) {
      withoutModel.forEach(
          version -> leaveOut(version, number(version).toString(), whyNone(version)));
    } else if (!Listing.isHidden(folder)) {
      leaveOut(folder, "", whyNone(folder));
    }
  }

  private static BigInteger number(Path version) {
    return new BigInteger(name(version));
  }

  /* One that does not lead out of its folder. */
  private static boolean isPlain(String name) {
    return name.chars().noneMatch(c -> c == '/' || c == '\\' || c < ' ')
        && !name.equals(".")
        && !name.equals("..");
  }

  private void leaveOut(Path path, String version, String why) {
    leftOut.add(new LeftOut(path, model, version, why));
  }

  private void addVersion(BigInteger number, Path file) {
    var version = new ModelFile(model, number.toString(), file);
    ModelFile known = versions.putIfAbsent(number, version);
    if (known != null) {
      leaveOut(file, known.version(), "version " + number + " is " + known.path());
    }
  }

  /* Beside versions a file of another name is something else, such as what they were made from. */
  private Optional<Path> modelWithoutVersion() {
    return versions.isEmpty()
        ? modelIn(folder).or(() -> modelIn(folder.resolve(HUB)))
        : named(folder, given.orElse(FILE));
  }

  /* The file of the name that it should have, or, if none is set, the only one of the format. */
  private Optional<Path> modelIn(Path parent) {
    if (given.isPresent()) {
      return named(parent, given.get());
    }
    return named(parent, FILE).or(() -> only(parent));
  }

  /* A model of several files is a folder of that name. */
  private static Optional<Path> named(Path parent, String name) {
    Path file = parent.resolve(name);
    return Stream.of(file, file.resolve(FILE)).filter(Files::isRegularFile).findFirst();
  }

  private static Optional<Path> only(Path parent) {
    List<Path> models = readable(parent).stream().filter(Listing::isModel).toList();
    return models.size() == 1 ? Optional.of(models.getFirst()) : Optional.empty();
  }

  private String whyNone(Path parent) {
    if (!Files.isReadable(parent)) {
      return "this process may not read it";
    }
    List<Path> children = readable(parent);
    return children.stream()
        .filter(child -> modelIn(child).isPresent())
        .findFirst()
        .map(child -> "'" + name(child) + "' is no version number")
        .or(() -> unreadable(children))
        .or(() -> dangling(children))
        .or(() -> otherName(children))
        .orElseGet(() -> "it holds neither VERSION/%1$s nor %1$s".formatted(given.orElse(FILE)));
  }

  private static Optional<String> unreadable(List<Path> children) {
    return children.stream()
        .filter(child -> Files.isDirectory(child) && !Files.isReadable(child))
        .findFirst()
        .map(child -> "this process may not read its folder '" + name(child) + "'");
  }

  private static Optional<String> dangling(List<Path> children) {
    return children.stream()
        .flatMap(child -> Stream.concat(Stream.of(child), readable(child).stream()))
        .flatMap(file -> Listing.dangling(file).map(to -> "'" + name(file) + "' is " + to).stream())
        .findFirst();
  }

  /* Something is there, but none that is surely the model, right in the folder or in one of a version. */
  private Optional<String> otherName(List<Path> children) {
    List<Path> files =
        Stream.concat(
                children.stream(), children.stream().flatMap(version -> readable(version).stream()))
            .filter(Files::isRegularFile)
            .toList();
    return files.stream()
        .filter(file -> Listing.isModel(file) || Listing.isAlmostModel(file))
        .findFirst()
        .map(file -> "'" + name(file) + "' has to be named " + given.orElse(FILE))
        .or(() -> notOnnx(files));
  }

  /* What other backends of Triton serve. */
  private static Optional<String> notOnnx(List<Path> files) {
    return files.stream()
        .filter(file -> Listing.stem(file).equals("model"))
        .findFirst()
        .map(file -> "'" + name(file) + "' is not an ONNX model");
  }
}
