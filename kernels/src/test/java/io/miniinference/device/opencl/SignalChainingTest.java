package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.TestCache;
import io.miniinference.device.TestKernels;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The JVM lives by signals that PoCL's compiler would take from it.
@Tag("opencl")
final class SignalChainingTest {
  private static final int SIGSEGV = 11;
  private static final long SIGACTION_BYTES = 152;
  private static final String SAMPLE = "jdk.ExecutionSample";

  @Test
  void theJvmKeepsItsHandlerWhileADriverCompiles() {
    assertThat(SignalChaining.isLoaded()).isTrue();
    long before = handler();
    try (Device device = device()) {
      device.build(fresh());
      assertThat(handler()).isEqualTo(before);
    }
  }

  /* A signal of the sampler at the wrong time used to delete what the compiler was writing. */
  @Test
  @Timeout(120)
  void programsAreBuiltWhileAFlightRecordingSamplesThreads() throws Exception {
    AtomicBoolean building = new AtomicBoolean(true);
    try (Recording recording = sampling();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Device device = device()) {
      Future<Long> busy = threads.submit(() -> count(building));
      try {
        buildPrograms(device, 6);
      } finally {
        building.set(false);
      }
      assertThat(busy.get()).isPositive();
      assertThat(samples(recording)).isPositive();
    }
  }

  private static Recording sampling() {
    Recording recording = new Recording();
    recording.enable(SAMPLE).withPeriod(Duration.ofMillis(1));
    recording.enable("jdk.NativeMethodSample").withPeriod(Duration.ofMillis(1));
    recording.start();
    return recording;
  }

  private static long count(AtomicBoolean on) {
    long rounds = 0;
    while (on.get()) {
      rounds++;
    }
    return rounds;
  }

  private static void buildPrograms(Device device, int programs) {
    for (int program = 0; program < programs; program++) {
      try (DeviceProgram built = device.build(fresh())) {
        assertThat(built.kernels()).isEqualTo(3);
      }
    }
  }

  private static long samples(Recording recording) throws IOException {
    Path file = Files.createTempFile("sampled", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals(SAMPLE))
          .count();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void whatTheEnvironmentLacksIsToldWithItsRemedy() {
    assertThat(SignalChaining.missing(true, "45")).isEmpty();
    assertThat(SignalChaining.missing(false, "45"))
        .singleElement()
        .asString()
        .contains("LD_PRELOAD=", "libjsig.so");
    assertThat(SignalChaining.missing(true, null))
        .singleElement()
        .asString()
        .contains("flight recordings", "_JAVA_SR_SIGNUM=45");
  }

  /// Looks for devices twice, as a process does that opens two engines.
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        OpenClTargets.find(TestCache.FOLDER);
      }
    }
  }

  @Test
  void aProcessIsToldOnceWhatItsEnvironmentLacks() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var child =
        new ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), Program.class.getName());
    child.environment().keySet().removeAll(Set.of("LD_PRELOAD", SignalChaining.SUSPEND_SIGNAL));
    Process process = child.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).containsOnlyOnce("LD_PRELOAD=").containsOnlyOnce("_JAVA_SR_SIGNUM=45");
  }

  private static Device device() {
    Path cache = TestCache.FOLDER;
    Device device = new OpenClDevice(OpenClTargets.find(cache).targets().getFirst(), cache);
    device.openPool(1 << 20);
    return device;
  }

  private static ProgramCode fresh() {
    return TestKernels.openCl(UUID.randomUUID().toString());
  }

  /// The address that the kernel knows, asked of the C library itself: with the chain in front,
  /// `sigaction` of the process tells what a library believes to have set.
  private static long handler() {
    SymbolLookup libc = SymbolLookup.libraryLookup("libc.so.6", Arena.global());
    MethodHandle sigaction =
        Linker.nativeLinker()
            .downcallHandle(
                libc.findOrThrow("sigaction"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment action = arena.allocate(SIGACTION_BYTES, 8);
      assertThat((int) sigaction.invokeExact(SIGSEGV, MemorySegment.NULL, action)).isZero();
      return action.get(ValueLayout.JAVA_LONG, 0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
