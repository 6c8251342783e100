package io.miniinference.device.opencl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// What lies in PoCL's cache, with a checksum of each file. PoCL aborts the process when it reads a
/// file that is cut off or torn, so at the first compilation of a process whatever is not as it was
/// written is removed and compiled anew.
///
/// Sizes are compared at each start; checksums only if the last compilation was cut off, the
/// machine was started since, or this list itself is gone, since they take a look at every byte.
///
/// What a compilation has left is looked for in three kinds of programs: those that are not listed,
/// those that were built, used or given a kernel since it was looked for last, and those of which
/// this process holds a kernel, since a variant of one shows in its own folder alone. So a load
/// costs the same however much others, or this process before, have compiled.
///
/// The caller holds the [CacheLock] of the directory.
final class CacheInventory {
  private static final System.Logger LOG = System.getLogger(CacheInventory.class.getName());
  private static final String LIST = "inventory.txt";
  private static final String OPEN = "compiling.open";

  /// A file in the folder of each program, empty, that PoCL touches when a process builds the
  /// program or takes it from the cache.
  private static final String USED = "last_accessed";

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final long MOST_LIST_BYTES = 64L << 20;

  private final Path directory;
  private final Supplier<Set<String>> held;

  /// By program, and there by file; both by their names in the directory.
  private final TreeMap<String, Map<String, Entry>> known = new TreeMap<>();

  private boolean isListed;
  private boolean checked;

  /// Which file the list was when it was read last, or null: each write makes another.
  private @Nullable Object readList;

  /// When it was looked for what a compilation has left, or the time of the first [#open]; by the
  /// clock of the cache's file system.
  private FileTime looked = FileTime.fromMillis(0);

  /// The folder of a program.
  private record Program(Path folder, FileTime modified) {}

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

  /// @param held gives the files of the kernels that this process holds open
  CacheInventory(Path directory, Supplier<Set<String>> held) {
    this.directory = directory;
    this.held = held;
  }

  /// Removes what is damaged, the first time, and notes that a compilation is under way.
  void open() {
    try {
      boolean isFirst = !checked;
      checked = true;
      if (isFirst) {
        check();
      }
      FileTime now = mark();
      if (isFirst) {
        looked = now;
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.log(System.Logger.Level.WARNING, "the cache {0} cannot be checked: {1}", directory, e);
    }
  }

  /// Notes what a compilation has left, and that it is over.
  void close() {
    try {
      FileTime now = mark();
      boolean wasListed = read();
      if (note() || !wasListed) {
        write();
      }
      looked = now;
      Files.deleteIfExists(directory.resolve(OPEN));
    } catch (IOException | UncheckedIOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the inventory of the cache cannot be written", e);
    }
  }

  /* Notes that a compilation is under way, and gives the time of it. */
  private FileTime mark() throws IOException {
    return Files.getLastModifiedTime(Files.writeString(directory.resolve(OPEN), ""));
  }

  private void check() throws IOException {
    boolean all = !read() || Files.exists(directory.resolve(OPEN));
    List<Path> removed = new ArrayList<>();
    for (Program program : programs()) {
      if (isDamaged(program.folder, all)) {
        delete(program.folder);
        removed.add(program.folder);
      }
    }
    Instant yesterday = mark().toInstant().minus(Duration.ofDays(1));
    for (Path file : topFiles(name -> name.startsWith("tempfile"))) {
      if (all || isLeft(file, yesterday)) {
        remove(file);
      }
    }
    if (!removed.isEmpty()) {
      LOG.log(System.Logger.Level.WARNING, "{0}", line(removed.size()));
    }
  }

  /* Each process of PoCL makes one, and some leave it. */
  private static boolean isLeft(Path file, Instant yesterday) throws IOException {
    return Files.exists(file)
        && Files.size(file) == 0
        && Files.getLastModifiedTime(file).toInstant().isBefore(yesterday);
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
    Map<String, Entry> listed = listed(name(program));
    if (listed.isEmpty()) {
      return true;
    }
    for (Map.Entry<Path, BasicFileAttributes> file : files.entrySet()) {
      Entry entry = listed.get(name(file.getKey()));
      boolean same =
          entry != null
              && entry.bytes == file.getValue().size()
              && (!all || entry.crc == checksum(file.getKey()));
      if (!same) {
        return true;
      }
    }
    return listed.keySet().stream()
        .anyMatch(
            name -> !name.endsWith("/" + USED) && !files.containsKey(directory.resolve(name)));
  }

  private Map<String, Entry> listed(String program) {
    return known.getOrDefault(program, Map.of());
  }

  /* Whether anything is not as it was listed. */
  private boolean note() throws IOException {
    List<Program> programs = programs();
    Set<String> names = new HashSet<>();
    programs.forEach(program -> names.add(name(program.folder)));
    boolean isNew = known.keySet().retainAll(names);
    Set<String> inUse =
        held.get().stream().map(file -> programOf(name(Path.of(file)))).collect(Collectors.toSet());
    for (Program program : programs) {
      String name = name(program.folder);
      if (!known.containsKey(name) || inUse.contains(name) || isChanged(program)) {
        Map<String, Entry> now = entries(program.folder, listed(name));
        isNew |= !now.equals(listed(name));
        known.put(name, now);
      }
    }
    if (isNew) {
      readList = null; // until what is known is written
    }
    return isNew;
  }

  private Map<String, Entry> entries(Path program, Map<String, Entry> listed) throws IOException {
    Map<String, Entry> now = new TreeMap<>();
    for (Map.Entry<Path, BasicFileAttributes> file : files(program).entrySet()) {
      String name = name(file.getKey());
      Entry before = listed.get(name);
      boolean same = before != null && before.isUntouched(file.getValue());
      now.put(name, same ? before : Entry.of(file.getKey(), file.getValue()));
    }
    return now;
  }

  /* Also where PoCL does not tell; a further kernel shows in the folder, too. */
  private boolean isChanged(Program program) throws IOException {
    try {
      return program.modified.compareTo(looked) >= 0
          || Files.getLastModifiedTime(program.folder.resolve(USED)).compareTo(looked) >= 0;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  /* Whether there is a list, of this start of the machine. */
  private boolean read() throws IOException {
    Path list = directory.resolve(LIST);
    Object file = key(list);
    if (file == null || !file.equals(readList)) {
      readList = file;
      isListed = parse(list);
    }
    return isListed;
  }

  /* Null where the file system does not tell files apart. */
  private static @Nullable Object key(Path list) throws IOException {
    try {
      BasicFileAttributes now = Files.readAttributes(list, BasicFileAttributes.class);
      return now.fileKey() == null
          ? null
          : List.of(now.fileKey(), now.lastModifiedTime(), now.size());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private boolean parse(Path list) throws IOException {
    known.clear();
    if (!Files.isRegularFile(list) || Files.size(list) > MOST_LIST_BYTES) {
      return false;
    }
    List<String> lines =
        new String(Files.readAllBytes(list), StandardCharsets.ISO_8859_1).lines().toList();
    for (String line : lines) {
      String[] parts = line.split(" ", 4);
      if (parts.length == 4 && parts[0].matches("\\d{1,18}") && parts[1].matches("\\d{1,18}")) {
        known
            .computeIfAbsent(programOf(parts[3]), _ -> new TreeMap<>())
            .put(
                parts[3],
                new Entry(Long.parseLong(parts[0]), Long.parseLong(parts[1]), crc(parts[2])));
      }
    }
    return !lines.isEmpty() && lines.getFirst().equals("boot " + boot());
  }

  private static long crc(String hex) {
    return hex.matches("[0-9a-f]{1,8}") ? Long.parseLong(hex, 16) : -1;
  }

  private void write() throws IOException {
    StringBuilder text = new StringBuilder("boot " + boot() + "\n");
    known
        .values()
        .forEach(files ->
            files.forEach((name, entry) ->
                text.append(entry.bytes)
                    .append(' ')
                    .append(entry.modified)
                    .append(' ')
                    .append(Long.toHexString(entry.crc))
                    .append(' ')
                    .append(name)
                    .append('\n')));
    Path partial = directory.resolve(LIST + ".partial");
    Files.write(partial, text.toString().getBytes(StandardCharsets.ISO_8859_1));
    Files.move(partial, directory.resolve(LIST), StandardCopyOption.ATOMIC_MOVE);
    readList = key(directory.resolve(LIST));
    isListed = true;
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

  /* What is ahead of the second slash of a file's name; nothing lies in the program of no name. */
  private static String programOf(String file) {
    int slash = file.indexOf('/', file.indexOf('/') + 1);
    return slash < 0 ? "" : file.substring(0, slash);
  }

  /* PoCL names programs by a hash, of which two letters are a folder. One look at each. */
  private List<Program> programs() throws IOException {
    List<Program> programs = new ArrayList<>();
    int depth = directory.getNameCount() + 2;
    Files.walkFileTree(
        directory,
        Set.of(),
        2,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes now) {
            if (now.isDirectory() && file.getNameCount() == depth) {
              programs.add(new Program(file, now.lastModifiedTime()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return programs;
  }

  private List<Path> topFiles(Predicate<String> named) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> named.test(file.getFileName().toString())).toList();
    }
  }

  /* One look at each file; that which tells the last use is as good as any, whatever it holds. */
  private static Map<Path, BasicFileAttributes> files(Path program) throws IOException {
    Map<Path, BasicFileAttributes> files = new HashMap<>();
    Files.walkFileTree(
        program,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes now) {
            if (!file.endsWith(USED)) {
              files.put(file, now);
            }
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
