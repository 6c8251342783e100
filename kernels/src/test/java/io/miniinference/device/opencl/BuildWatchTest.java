package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.KernelBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// When a build is told of.
@Timeout(60)
final class BuildWatchTest {
  private static final KernelBuild BUILD = new KernelBuild("deep", 12);

  private final List<KernelBuild> told = new CopyOnWriteArrayList<>();
  private final BuildWatch watch = new BuildWatch(1, told::add);

  @Test
  void aBuildThatCompilesIsShownAndToldOnceUntilItsProgramIsPrepared() {
    compile();
    compile();
    assertThat(told).containsExactly(BUILD);
    watch.prepared("deep");
    compile();
    assertThat(told).containsExactly(BUILD, BUILD);
    assertThat(watch.building()).isEmpty();
  }

  private void compile() {
    assertThat(watch.during(BUILD, () -> true, this::awaitShown)).isEqualTo("built");
  }

  private String awaitShown() {
    while (watch.building().filter(BUILD::equals).isEmpty()) {
      Thread.onSpinWait();
    }
    return "built";
  }

  @Test
  void aBuildFromTheCacheIsNotTold() {
    var looks = new CountDownLatch(3);
    watch.during(BUILD, () -> countDown(looks), () -> await(looks));
    assertThat(told).isEmpty();
  }

  private static boolean countDown(CountDownLatch looks) {
    looks.countDown();
    return false;
  }

  private static boolean await(CountDownLatch looks) {
    try {
      looks.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBuildThatIsOverIsNotLookedAt() {
    var looks = new AtomicInteger();
    var ofNext = new CountDownLatch(2);
    var slow = new BuildWatch(50, told::add);
    slow.during(BUILD, () -> looks.incrementAndGet() > 0, () -> "at once");
    slow.during(BUILD, () -> countDown(ofNext), () -> await(ofNext));
    assertThat(looks).hasValue(0);
    assertThat(told).isEmpty();
  }

  @Test
  void aProgramsFolderTellsWhenSomethingWasCompiled(@TempDir Path cache) throws IOException {
    Path program = Files.createDirectories(cache.resolve("AB/GOOD"));
    FileTime then = Files.getLastModifiedTime(program);
    assertThat(new CompiledPrograms(cache, then).isAnyNewer()).isFalse();
    Files.setLastModifiedTime(program, FileTime.fromMillis(then.toMillis() + 5));
    assertThat(new CompiledPrograms(cache, then).isAnyNewer()).isTrue();
  }

  @Test
  void withoutACacheNothingCountsAsCompiled(@TempDir Path folder) {
    CompiledPrograms none = CompiledPrograms.mark(folder.resolve("none"));
    assertThat(none.isAnyNewer()).isFalse();
    assertThat(none.isOlderThan(folder)).isFalse();
  }
}
