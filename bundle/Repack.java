import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Makes the jars of a folder ready to be packed: run as `java Repack.java FOLDER`.
///
/// Their entries are stored as they are, because an archive of uncompressed jars is a third smaller than one of
/// compressed jars; they all have one time, so that the same contents are the same bytes; and native libraries of
/// other systems than Linux, and of other processors than the one that this runs on, are left out, as are the messages of Google's own services, which come with
/// gRPC's status and which no part of it reads.
final class Repack {
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);
  private static final String OTHER_PROCESSORS =
      System.getProperty("os.arch").equals("aarch64") ? "x64|x86_64|amd64" : "aarch64|arm64";
  private static final Pattern FOREIGN =
      Pattern.compile(
          (".*\\.(dll|dylib|jnilib|pdb|lib)|.*(windows|win|apple|osx|macos|%1$s|android)[^/]*/[^/]*\\.so"
                  + "|.*-(%1$s)\\.so|.*\\.dSYM/.*")
              .formatted(OTHER_PROCESSORS));

  private static final Pattern OF_OTHER_SERVICES =
      Pattern.compile("com/google/(api|apps|cloud|geo|logging|longrunning|shopping|type)/.*|google/.*\\.proto");

  private Repack() {}

  public static void main(String[] args) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(args[0]))) {
      files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(Repack::repack);
    }
  }

  private static void repack(Path jar) {
    Path packed = jar.resolveSibling(jar.getFileName() + ".new");
    try {
      try (var from = new ZipFile(jar.toFile());
          var to = new ZipOutputStream(Files.newOutputStream(packed))) {
        for (ZipEntry entry : kept(from)) {
          copy(from, entry, to);
        }
      }
      Files.move(packed, jar, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot repack " + jar, e);
    }
  }

  /// What stays, in its order: the manifest must come first.
  private static List<ZipEntry> kept(ZipFile jar) {
    return jar.stream()
        .map(ZipEntry.class::cast)
        .filter(entry -> !FOREIGN.matcher(entry.getName()).matches())
        .filter(entry -> !OF_OTHER_SERVICES.matcher(entry.getName()).matches())
        .toList();
  }

  private static void copy(ZipFile from, ZipEntry entry, ZipOutputStream to) throws IOException {
    byte[] bytes = from.getInputStream(entry).readAllBytes();
    var checksum = new CRC32();
    checksum.update(bytes);
    var stored = new ZipEntry(entry.getName());
    stored.setMethod(ZipEntry.STORED);
    stored.setSize(bytes.length);
    stored.setCrc(checksum.getValue());
    stored.setTimeLocal(TIME);
    to.putNextEntry(stored);
    to.write(bytes);
    to.closeEntry();
  }
}
