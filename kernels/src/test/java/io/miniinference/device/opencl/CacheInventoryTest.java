package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
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
    new CacheInventory(cache, Set::of).close();
  }

  private Path program(String name, String library) throws IOException {
    Path kernel = Files.createDirectories(cache.resolve(name).resolve("kernel/1-1-1"));
    Files.writeString(cache.resolve(name).resolve("program.bc"), "bit code");
    return Files.writeString(kernel.resolve("kernel.so"), library);
  }

  private void start() {
    new CacheInventory(cache, Set::of).open();
  }

  @Test
  void whatIsAsItWasWrittenStays() {
    start();
    assertThat(good).exists();
    assertThat(other).exists();
  }

  @Test
  void whatIsRemovedIsToldWithoutAlarm() {
    assertThat(new CacheInventory(cache, Set::of).line(1))
        .startsWith("1 compiled program in " + cache + " is not as written")
        .contains("no answer is affected", "compiled anew");
    assertThat(new CacheInventory(cache, Set::of).line(2))
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
    Files.createDirectories(cache.resolve("GH/BEGUN"));
    Files.writeString(cache.resolve("GH/BEGUN/last_accessed"), "");
    start();
    assertThat(cache.resolve("EF/KILLED")).doesNotExist();
    assertThat(cache.resolve("GH/BEGUN")).doesNotExist();
    assertThat(good).exists();
  }

  @Test
  void afterACompilationThatWasCutOffEachByteIsLookedAt() throws IOException {
    new CacheInventory(cache, Set::of).open(); // and its process is killed
    Files.writeString(other, "anXther library");
    start();
    assertThat(cache.resolve("CD/OTHER")).doesNotExist();
    assertThat(good).exists();
  }

  @Test
  void emptyFilesThatEarlierProcessesLeftGo() throws IOException {
    Path left = Files.createFile(cache.resolve("tempfile_left"));
    Path full = Files.writeString(cache.resolve("tempfile_full"), "x");
    Path fresh = Files.createFile(cache.resolve("tempfile_new"));
    FileTime before = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
    Files.setLastModifiedTime(left, before);
    Files.setLastModifiedTime(full, before);

    start();

    assertThat(left).doesNotExist();
    assertThat(full).exists();
    assertThat(fresh).exists();
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
    new CacheInventory(cache, Set::of).open();
    start();
    assertThat(litter).doesNotExist();
  }

  @Test
  void theTimeOfTheLastUseIsNoDamageAndNothingToList() throws IOException {
    Path used = Files.writeString(cache.resolve("AB/GOOD/last_accessed"), "");
    new CacheInventory(cache, Set::of).close();
    Object list = list();
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    Files.setLastModifiedTime(used, FileTime.from(Instant.now().plusSeconds(9)));
    ours.close();
    Files.delete(used);
    start();
    assertThat(good).exists();
    assertThat(list()).isEqualTo(list);
  }

  private Object list() throws IOException {
    return Files.readAttributes(cache.resolve("inventory.txt"), "unix:ino,lastModifiedTime");
  }

  @Test
  void aVariantThatIsCompiledIntoAProgramInUseIsListed() throws IOException {
    Path used = usedByAnEarlierProcess();
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    Files.setLastModifiedTime(used, FileTime.from(Instant.now().plusSeconds(1)));
    Path variant = variant("kernel/2-1-1");
    ours.close();
    start();
    assertThat(good).exists();
    assertThat(variant).exists();
  }

  @Test
  void aFurtherKernelIsListedWhereverTheDriverTellsNoUse() throws IOException {
    usedByAnEarlierProcess();
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    Path further = variant("further/1-1-1");
    ours.close();
    start();
    assertThat(good).exists();
    assertThat(further).exists();
  }

  @Test
  void whatAKilledProcessLeftInAProgramThatIsNotInUseIsNotListedByOthers() throws IOException {
    usedByAnEarlierProcess();
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    variant("kernel/2-1-1");
    ours.close();
    start();
    assertThat(cache.resolve("AB/GOOD")).doesNotExist();
    assertThat(other).exists();
  }

  /// It shows in the folder of the kernel alone.
  @Test
  void aVariantOfAKernelInUseIsListedHoweverLateItIsCompiled() throws IOException {
    usedByAnEarlierProcess();
    CacheInventory ours = new CacheInventory(cache, () -> Set.of(good.toString()));
    ours.open();
    ours.close();
    ours.open();
    Path variant = variant("kernel/2-1-1");
    ours.close();
    start();
    assertThat(good).exists();
    assertThat(variant).exists();
  }

  /// So that a load costs the same however many there were before.
  @Test
  void aProgramThatWasListedAndIsNotInUseIsNotLookedAtAgain() throws IOException {
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    Path library = program("EF/OURS", "ours");
    awaitLaterThan(Files.writeString(cache.resolve("EF/OURS/last_accessed"), ""));
    ours.close();
    ours.open();
    Files.createDirectories(library.resolveSibling("unseen"));
    Files.writeString(library.resolveSibling("unseen/kernel.so"), "unseen");
    ours.close();
    start();
    assertThat(cache.resolve("EF/OURS")).doesNotExist();
    assertThat(good).exists();
  }

  private void awaitLaterThan(Path file) throws IOException {
    Path clock = cache.resolve("clock");
    do {
      Files.writeString(clock, "");
    } while (Files.getLastModifiedTime(clock).compareTo(Files.getLastModifiedTime(file)) <= 0);
  }

  private Path usedByAnEarlierProcess() throws IOException {
    Path program = cache.resolve("AB/GOOD");
    Path used = Files.writeString(program.resolve("last_accessed"), "");
    Files.setLastModifiedTime(used, FileTime.from(Instant.EPOCH));
    Files.setLastModifiedTime(program, FileTime.from(Instant.EPOCH));
    return used;
  }

  private Path variant(String folder) throws IOException {
    Path kernel = Files.createDirectories(cache.resolve("AB/GOOD").resolve(folder));
    return Files.writeString(kernel.resolve("kernel.so"), "a library");
  }

  @Test
  void whatAnotherProcessListsMeanwhileStaysListed() throws IOException {
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    ours.close();
    CacheInventory others = new CacheInventory(cache, Set::of);
    others.open();
    Path theirs = program("EF/OTHERS", "theirs");
    others.close();
    ours.open();
    Path more = program("GH/OURS", "ours");
    ours.close();
    start();
    assertThat(theirs).exists();
    assertThat(more).exists();
  }

  @Test
  void aProcessLooksOnceAndKeepsWhatOthersCompileMeanwhile() throws IOException {
    CacheInventory ours = new CacheInventory(cache, Set::of);
    ours.open();
    ours.close();
    Path theirs = program("EF/OTHERS", "theirs");
    ours.open();
    assertThat(theirs).exists();
  }
}
