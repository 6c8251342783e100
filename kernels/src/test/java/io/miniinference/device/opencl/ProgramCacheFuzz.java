package io.miniinference.device.opencl;

import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Files of the engine's own cache of programs: what comes out of it is what was stored, or
/// nothing.
public final class ProgramCacheFuzz implements FuzzTarget {
  private static final String KEY = ProgramCache.key(List.of("a program", "its device"));
  private static final byte[] PROGRAM =
      "bits of a program".repeat(9).getBytes(StandardCharsets.UTF_8);

  private final Path folder;
  private final Path file;
  private final ProgramCache cache;
  private final byte[] stored;

  public ProgramCacheFuzz() throws IOException {
    folder = Files.createTempDirectory("cache-fuzz");
    cache = new ProgramCache(folder);
    cache.store(KEY, PROGRAM);
    file = folder.resolve(KEY + ".clbin");
    stored = Files.readAllBytes(file);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(stored);
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    Files.write(file, input);
    Optional<byte[]> loaded = cache.load(KEY);
    if (loaded.isPresent() != Arrays.equals(input, stored)) {
      throw new AssertionError(
          "a damaged program was taken for a good one, or the other way round");
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(folder);
  }
}
