package io.miniinference.device.opencl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// What lies in PoCL's cache, with a checksum of each file. PoCL aborts the process when it reads a
/// file that is cut off or torn, so at the first compilation of a process whatever is not as it was
/// written is removed and compiled anew.
///
/// Sizes are compared at each start; checksums only if the last compilation was cut off, the
/// machine was started since, or this list itself is gone, since they take a look at every byte.
///
/// The caller holds the [CacheLock] of the directory.
final class CacheInventory {
  private static final System.Logger LOG = System.getLogger(CacheInventory.class.getName());
  private static final String LIST = "inventory.txt";
  private static final String OPEN = "compiling.open";
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final long MOST_LIST_BYTES = 64L << 20;

  private final Path directory;
  private final TreeMap<String, Entry> known = new TreeMap<>();
  private boolean checked;

  /// A file as it was when it was looked at.
  private record Entry(long bytes, long modified, long crc) {
    static Entry of(Path file, BasicFileAttributes now) throws IOException {
      return new Entry(now.size(), now.lastModifiedTime().toMillis(), checksum(file));
    }

    boolean isUntouched(BasicFileAttributes now) {
      return now.size() == bytes && now.lastModifiedTime().toMillis() == modified;
    }
  }

  private static long checksum(Path file) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(Files.readAllBytes(file));
    return crc.getValue();
  }

  CacheInventory(Path directory) {
    this.directory = directory;
  }

  /// Removes what is damaged, the first time, and notes that a compilation is under way.
  void open() {
    try {
      if (!checked) {
        checked = true;
        check();
      }
      Files.writeString(directory.resolve(OPEN), "");
    } catch (IOException | UncheckedIOException e) {
      LOG.log(System.Logger.Level.WARNING, "the cache {0} cannot be checked: {1}", directory, e);
    }
  }

  /// Notes what a compilation has left, and that it is over.
  void close() {
    try {
      boolean isListed = read();
      if (note() || !isListed) {
        write();
      }
      Files.deleteIfExists(directory.resolve(OPEN));
    } catch (IOException | UncheckedIOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the inventory of the cache cannot be written", e);
    }
  }

  private void check() throws IOException {
    boolean isListed = read();
    boolean all = !isListed || Files.exists(directory.resolve(OPEN));
    List<Path> removed = new ArrayList<>();
    for (Path program : programs()) {
      if (isDamaged(program, all)) {
        delete(program);
        removed.add(program);
      }
    }
    if (all) {
      topFiles(name -> name.startsWith("tempfile")).forEach(CacheInventory::remove);
    }
    if (!removed.isEmpty()) {
      LOG.log(System.Logger.Level.WARNING, "{0}", line(removed.size()));
    }
  }

  /// What is told of programs that were removed: what happened, and that nothing is wrong.
  String line(int removed) {
    return "%s in %s not as written, as when a process or the machine was ended while it compiled: nothing of that was used and no answer is affected; the kernels are compiled anew where they are needed, so that this start takes longer"
        .formatted(
            removed == 1 ? "1 compiled program" : removed + " compiled programs",
            directory + (removed == 1 ? " is" : " are"));
  }

  /* A file that is not listed was being written when its process ended. */
  private boolean isDamaged(Path program, boolean all) throws IOException {
    Map<Path, BasicFileAttributes> files = files(program);
    for (Map.Entry<Path, BasicFileAttributes> file : files.entrySet()) {
      Entry entry = known.get(name(file.getKey()));
      boolean same =
          entry != null
              && entry.bytes == file.getValue().size()
              && (!all || entry.crc == checksum(file.getKey()));
      if (!same) {
        return true;
      }
    }
    return listedUnder(program).anyMatch(name -> !files.containsKey(directory.resolve(name)));
  }

  private Stream<String> listedUnder(Path program) {
    String folder = name(program);
    return known.subMap(folder + "/", folder + "0").keySet().stream(); // 0 is what follows /
  }

  /* Whether anything is not as it was listed. */
  private boolean note() throws IOException {
    Map<String, Entry> now = new HashMap<>();
    for (Path program : programs()) {
      for (Map.Entry<Path, BasicFileAttributes> file : files(program).entrySet()) {
        String name = name(file.getKey());
        Entry before = known.get(name);
        boolean same = before != null && before.isUntouched(file.getValue());
        now.put(name, same ? before : Entry.of(file.getKey(), file.getValue()));
      }
    }
    boolean isNew = !now.equals(known);
    known.clear();
    known.putAll(now);
    return isNew;
  }

  /* Whether there is a list, of this start of the machine. */
  private boolean read() throws IOException {
    known.clear();
    Path list = directory.resolve(LIST);
    if (!Files.isRegularFile(list) || Files.size(list) > MOST_LIST_BYTES) {
      return false;
    }
    List<String> lines =
        new String(Files.readAllBytes(list), StandardCharsets.ISO_8859_1).lines().toList();
    for (String line : lines) {
      String[] parts = line.split(" ", 4);
      if (parts.length == 4 && parts[0].matches("\\d{1,18}") && parts[1].matches("\\d{1,18}")) {
        known.put(
            parts[3], new Entry(Long.parseLong(parts[0]), Long.parseLong(parts[1]), crc(parts[2])));
      }
    }
    return !lines.isEmpty() && lines.getFirst().equals("boot " + boot());
  }

  private static long crc(String hex) {
    return hex.matches("[0-9a-f]{1,8}") ? Long.parseLong(hex, 16) : -1;
  }

  private void write() throws IOException {
    StringBuilder text = new StringBuilder("boot " + boot() + "\n");
    known.forEach((name, entry) ->
        text.append(entry.bytes)
            .append(' ')
            .append(entry.modified)
            .append(' ')
            .append(Long.toHexString(entry.crc))
            .append(' ')
            .append(name)
            .append('\n'));
    Path partial = directory.resolve(LIST + ".partial");
    Files.write(partial, text.toString().getBytes(StandardCharsets.ISO_8859_1));
    Files.move(partial, directory.resolve(LIST), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String boot() {
    try {
      return Files.readString(BOOT).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private String name(Path file) {
    return directory.relativize(file).toString();
  }

  /* PoCL names programs by a hash, of which two letters are a folder. */
  private List<Path> programs() throws IOException {
    List<Path> programs = new ArrayList<>();
    for (Path folder : folders(directory)) {
      programs.addAll(folders(folder));
    }
    return programs;
  }

  private static List<Path> folders(Path of) throws IOException {
    try (Stream<Path> all = Files.list(of)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  private List<Path> topFiles(Predicate<String> named) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> named.test(file.getFileName().toString())).toList();
    }
  }

  /* One look at each file. */
  private static Map<Path, BasicFileAttributes> files(Path program) throws IOException {
    Map<Path, BasicFileAttributes> files = new HashMap<>();
    Files.walkFileTree(
        program,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes now) {
            files.put(file, now);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static void delete(Path program) throws IOException {
    try (Stream<Path> all = Files.walk(program)) {
      all.sorted((a, b) -> b.compareTo(a)).forEach(CacheInventory::remove);
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
