package io.miniinference.repository;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/// The models that come with the engine, as a repository on disk.
public final class BundledModels {
  /// Room for all of them.
  private static final long UNPACKED_BYTES = 4L << 20;

  private static final String ROOT = "/repository/";

  private BundledModels() {}

  /// The names, one a line of the resource `repository/names.txt`.
  public static List<String> names() {
    return new String(bytes("names.txt"), StandardCharsets.UTF_8).lines().toList();
  }

  /// Unpacks what is not there yet and returns the folder. Safe for several processes at once.
  ///
  /// @param cache folder under which the repository is unpacked
  public static ModelRepository unpack(Path cache) {
    Path folder = UsableFolder.of(cache.resolve("models"), UNPACKED_BYTES);
    List<String> names = names();
    try {
      for (String name : names) {
        unpack(name, folder.resolve(name).resolve("1"));
      }
    } catch (IOException e) {
      throw new RepositoryException(
          "The bundled models cannot be unpacked to "
              + folder
              + " (set engine.cache.directory): "
              + e,
          e);
    }
    return new ModelRepository(folder, names);
  }

  private static void unpack(String name, Path version) throws IOException {
    byte[] model = bytes(name + "/1/model.onnx");
    Path target = version.resolve("model.onnx");
    if (Files.isRegularFile(target) && Arrays.equals(model, Files.readAllBytes(target))) {
      return;
    }
    Files.createDirectories(version);
    Path fresh = Files.createTempFile(version, "model", ".part");
    Files.write(fresh, model);
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] bytes(String resource) {
    try (InputStream in = BundledModels.class.getResourceAsStream(ROOT + resource)) {
      if (in == null) {
        throw new FileNotFoundException("the jar holds no " + ROOT + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
