package io.miniinference.service.verify;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.Importer;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.fullstack.RunningService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The models of a suite that are served in shapes that the request chooses, in a repository.
final class OpenSuite implements AutoCloseable {
  private final Suite suite;
  private final Path repository;
  private final List<TestModel> open;

  /// @param data below the folder of test data
  OpenSuite(String data, Path repository) {
    suite = Suite.open(List.of(Path.of(System.getProperty("mie.data"), data)));
    this.repository = repository;
    open = suite.models().stream().filter(OpenSuite::isOpen).toList(); // imports each model
  }

  /// A service of these models.
  RunningService serve(String... properties) {
    open().forEach(this::copy);
    String[] all = Arrays.copyOf(properties, properties.length + 1);
    all[properties.length] = "engine.models.repository=" + repository;
    return RunningService.start(all);
  }

  List<TestModel> open() {
    return open;
  }

  /* Whether sizes are known with a request alone, its shapes or its values. */
  private static boolean isOpen(TestModel test) {
    try {
      Importer.importModel(test.read(), ImportOptions.defaults());
      return false;
    } catch (NeedsSpecialisation e) {
      return true;
    } catch (ModelException e) {
      return false;
    }
  }

  private void copy(TestModel test) {
    try {
      Path folder = Files.createDirectories(repository.resolve(test.name()).resolve("1"));
      Files.write(
          folder.resolve("model.onnx"), Files.readAllBytes(test.folder().resolve("model.onnx")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What is wrong with the answers of a service, if anything.
  static Optional<String> problem(Client client, TestModel test) {
    OnnxModel model = test.read();
    return test.dataSets().stream()
        .map(folder -> DataSet.read(folder, model))
        .flatMap(data ->
            new HttpRun(client, test.name(), model, data, test.tolerance()).problem().stream())
        .findFirst()
        .map(problem -> test.name() + ": " + problem);
  }

  @Override
  public void close() {
    suite.close();
  }
}
