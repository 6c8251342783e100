package io.miniinference.device.opencl;

import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/// PoCL's cache after a compilation that was cut off. The first byte of an input says which file
/// the rest replaces: one of a program, or the list of all. No damage to the list fails a start; a
/// program whose file is not as it was written is gone after it, or stands in the list as it is.
public final class CacheInventoryFuzz implements FuzzTarget {
  private static final Logger LOG = Logger.getLogger(CacheInventory.class.getName());
  private static final String LIBRARY = "\u007fELF a library";
  private static final String BITS = "BC\u0000 bit code";

  private final Path cache;
  private final Path library;
  private final Path bits;
  private final Path list;
  private final String listed;

  public CacheInventoryFuzz() throws IOException {
    LOG.setLevel(Level.OFF); // each damage is a line
    cache = Files.createTempDirectory("inventory-fuzz");
    library = cache.resolve("AB/PROGRAM/kernel/1-1-1/kernel.so");
    bits = cache.resolve("AB/PROGRAM/program.bc");
    list = cache.resolve("inventory.txt");
    write();
    new CacheInventory(cache, Set::of).close();
    listed = Files.readString(list, StandardCharsets.ISO_8859_1);
  }

  private void write() throws IOException {
    Files.createDirectories(library.getParent());
    Files.writeString(library, LIBRARY);
    Files.writeString(bits, BITS);
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of("L" + LIBRARY, "B" + BITS, "I" + listed)
        .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    write();
    Files.writeString(list, listed, StandardCharsets.ISO_8859_1);
    Files.writeString(cache.resolve("compiling.open"), "");
    String text = new String(input, StandardCharsets.ISO_8859_1);
    String content = text.isEmpty() ? "" : text.substring(1);
    Path changed = file(text);
    Files.writeString(changed, content, StandardCharsets.ISO_8859_1);

    new CacheInventory(cache, Set::of).open();

    if (!changed.equals(list) && Files.exists(changed) && !content.equals(original(changed))) {
      throw new AssertionError("a damaged file was left in the cache: " + changed);
    }
    new CacheInventory(cache, Set::of).close();
    new CacheInventory(cache, Set::of).open();
    return changed.equals(list);
  }

  private Path file(String input) {
    return switch (input.isEmpty() ? 'I' : input.charAt(0)) {
      case 'L' -> library;
      case 'B' -> bits;
      default -> list;
    };
  }

  private String original(Path file) {
    return file.equals(library) ? LIBRARY : BITS;
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(cache)) {
      all.sorted(Comparator.reverseOrder()).forEach(CacheInventoryFuzz::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
