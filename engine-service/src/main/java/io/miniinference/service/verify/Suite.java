package io.miniinference.service.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The models below a number of paths: folders, zip files, or single models.
public final class Suite implements AutoCloseable {
  private static final int DEPTH = 8;
  private static final Pattern OUTSIDE = Pattern.compile("(^|[/\\\\])\\.\\.?([/\\\\]|$)");

  private final List<FileSystem> zips = new ArrayList<>();
  private final List<TestModel> models = new ArrayList<>();

  private Suite() {}

  /// Finds the models.
  ///
  /// @throws IllegalArgumentException if a path is not there, or holds no model
  public static Suite open(List<Path> paths) {
    var suite = new Suite();
    try {
      paths.forEach(suite::add);
      return suite;
    } catch (RuntimeException e) {
      suite.close();
      throw e;
    }
  }

  /// How many models there are.
  public int size() {
    return models.size();
  }

  List<TestModel> models() {
    return List.copyOf(models);
  }

  private void add(Path path) {
    int before = models.size();
    addAll(path);
    if (models.size() == before) {
      throw new IllegalArgumentException(
          "'" + path + "' holds no model.onnx: give folders or zip files of NAME/model.onnx");
    }
  }

  private void addAll(Path path) {
    if (!Files.exists(path)) {
      throw new IllegalArgumentException("there is no '" + path + "'");
    } else if (Files.isDirectory(path)) {
      addFolder(path, path);
    } else if (TestModel.fileName(path).equals("model.onnx")) {
      Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent());
      models.add(new TestModel(TestModel.fileName(folder), folder, Tolerance.DEFAULT));
    } else {
      addFolder(zip(path), path);
    }
  }

  private Path zip(Path path) {
    try {
      FileSystem zip = FileSystems.newFileSystem(path);
      zips.add(zip);
      return zip.getPath("/");
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("'%s' %s".formatted(path, whyNoZip(path)), e);
    }
  }

  /* Java opens no archive with an entry that leads out of its folder. */
  private static String whyNoZip(Path path) {
    try (var zip = new ZipFile(path.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> OUTSIDE.matcher(name).find())
          .findFirst()
          .map(name ->
              "has the entry '" + name + "', with a folder '.' or '..': zip it anew without")
          .orElse("is a zip file that cannot be read");
    } catch (IOException | RuntimeException e) {
      return "is no folder and no zip file";
    }
  }

  private void addFolder(Path root, Path shown) {
    Map<String, Tolerance> index = index(root);
    try (Stream<Path> tree = Files.walk(root, DEPTH, FileVisitOption.FOLLOW_LINKS)) {
      tree.filter(file -> TestModel.fileName(file).equals("model.onnx"))
          .map(file -> Objects.requireNonNull(file.toAbsolutePath().getParent()))
          .sorted()
          .forEach(folder -> models.add(model(folder, index, shown)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + shown, e);
    }
  }

  private static TestModel model(Path folder, Map<String, Tolerance> index, Path shown) {
    Path name = folder.getFileName() == null ? shown : folder;
    String text = TestModel.fileName(name);
    return new TestModel(text, folder, index.getOrDefault(text, Tolerance.DEFAULT));
  }

  /// Reads `index.tsv`: a heading, then name, rtol, atol and more.
  private static Map<String, Tolerance> index(Path root) {
    Path file = root.resolve("index.tsv");
    Map<String, Tolerance> index = new HashMap<>();
    if (!Files.isRegularFile(file)) {
      return index;
    }
    try {
      Files.readAllLines(file).forEach(line -> addLine(line.split("\t", -1), index));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    return index;
  }

  private static void addLine(String[] cells, Map<String, Tolerance> index) {
    if (cells.length >= 3 && !cells[1].equals("rtol")) {
      double rtol = Double.parseDouble(cells[1]);
      double atol = Double.parseDouble(cells[2]);
      index.put(cells[0], new Tolerance(rtol, atol, false));
    }
  }

  @Override
  public void close() {
    for (FileSystem zip : zips) {
      try {
        zip.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
