package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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
    Files.createDirectories(cache.resolve("GH/BEGUN"));
    Files.writeString(cache.resolve("GH/BEGUN/last_accessed"), "");
    start();
    assertThat(cache.resolve("EF/KILLED")).doesNotExist();
    assertThat(cache.resolve("GH/BEGUN")).doesNotExist();
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
  void theTimeOfTheLastUseIsNoDamageAndNothingToList() throws IOException {
    Path used = Files.writeString(cache.resolve("AB/GOOD/last_accessed"), "");
    new CacheInventory(cache).close();
    Object list = list();
    CacheInventory ours = new CacheInventory(cache);
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
    CacheInventory ours = new CacheInventory(cache);
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
    CacheInventory ours = new CacheInventory(cache);
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
    CacheInventory ours = new CacheInventory(cache);
    ours.open();
    variant("kernel/2-1-1");
    ours.close();
    start();
    assertThat(cache.resolve("AB/GOOD")).doesNotExist();
    assertThat(other).exists();
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
    CacheInventory ours = new CacheInventory(cache);
    ours.open();
    ours.close();
    CacheInventory others = new CacheInventory(cache);
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
    CacheInventory ours = new CacheInventory(cache);
    ours.open();
    ours.close();
    Path theirs = program("EF/OTHERS", "theirs");
    ours.open();
    assertThat(theirs).exists();
  }
}
