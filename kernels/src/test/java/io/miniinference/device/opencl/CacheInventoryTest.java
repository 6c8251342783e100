package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What of a cache is kept and what is removed when a process looks at it first.
final class CacheInventoryTest {
  @TempDir Path cache;
  private Path good;
  private Path other;

  @BeforeEach
  void compileTwoPrograms() throws IOException {
    good = program("AB/GOOD", "a library");
    other = program("CD/OTHER", "another library");
    new CacheInventory(cache).close();
  }

  private Path program(String name, String library) throws IOException {
    Path kernel = Files.createDirectories(cache.resolve(name).resolve("kernel/1-1-1"));
    Files.writeString(cache.resolve(name).resolve("program.bc"), "bit code");
    return Files.writeString(kernel.resolve("kernel.so"), library);
  }

  private void start() {
    new CacheInventory(cache).open();
  }

  @Test
  void whatIsAsItWasWrittenStays() {
    start();
    assertThat(good).exists();
    assertThat(other).exists();
  }

  @Test
  void whatIsRemovedIsToldWithoutAlarm() {
    assertThat(new CacheInventory(cache).line(1))
        .startsWith("1 compiled program in " + cache + " is not as written")
        .contains("no answer is affected", "compiled anew");
    assertThat(new CacheInventory(cache).line(2))
        .startsWith("2 compiled programs in " + cache + " are not as written");
  }

  @Test
  void aProgramWithAFileThatIsCutOffGoes() throws IOException {
    Files.writeString(good, "a lib");
    start();
    assertThat(cache.resolve("AB/GOOD")).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void aProgramWithAFileMissingGoes() throws IOException {
    Files.delete(good);
    start();
    assertThat(cache.resolve("AB/GOOD")).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void aProgramThatWasNotFinishedGoes() throws IOException {
    program("EF/KILLED", "half a libr");
    start();
    assertThat(cache.resolve("EF/KILLED")).doesNotExist();
    assertThat(good).exists();
  }

  @Test
  void afterACompilationThatWasCutOffEachByteIsLookedAt() throws IOException {
    new CacheInventory(cache).open(); // and its process is killed
    Files.writeString(other, "anXther library");
    start();
    assertThat(cache.resolve("CD/OTHER")).doesNotExist();
    assertThat(good).exists();
  }

  @Test
  void afterOneThatEndedWellOnlySizesAre() throws IOException {
    Files.writeString(other, "anXther library");
    start();
    assertThat(other).exists();
  }

  @Test
  void withoutAListNothingIsTrusted() throws IOException {
    Files.delete(cache.resolve("inventory.txt"));
    start();
    assertThat(good).doesNotExist();
    assertThat(other).doesNotExist();
  }

  @Test
  void aListOfNonsenseIsNone() throws IOException {
    Files.write(cache.resolve("inventory.txt"), new byte[] {0, (byte) 0xff, 10, 32, 32, 32, 65});
    start();
    assertThat(good).doesNotExist();
  }

  @Test
  void whatAKilledCompilerLeftBesideThePrograms() throws IOException {
    Path litter = Files.writeString(cache.resolve("tempfile_abc.so.o"), "half");
    new CacheInventory(cache).open();
    start();
    assertThat(litter).doesNotExist();
  }

  @Test
  void aProcessLooksOnceAndKeepsWhatOthersCompileMeanwhile() throws IOException {
    CacheInventory ours = new CacheInventory(cache);
    ours.open();
    ours.close();
    Path theirs = program("EF/OTHERS", "theirs");
    ours.open();
    assertThat(theirs).exists();
  }
}
