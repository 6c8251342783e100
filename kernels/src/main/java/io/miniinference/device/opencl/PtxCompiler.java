package io.miniinference.device.opencl;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.KernelBuild;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.host.Counters;
import io.miniinference.device.team.Threads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// NVIDIA's compiler of OpenCL C, whose binaries are PTX, the assembler of its GPUs: what its other
/// drivers load, too.
public final class PtxCompiler implements AutoCloseable {
  private static final int PCI_BUS_NV = 0x4008;
  private static final int PCI_SLOT_NV = 0x4009;
  private static final int PCI_DOMAIN_NV = 0x400A;

  /// Registers in which the OpenCL driver puts offsets of work items and groups. No launch here has
  /// any, and another driver does not set them.
  private static final Pattern OFFSET_REGISTER = Pattern.compile("%envreg[0-5]\\b");

  /// Others, which hold the sizes of the grid, for one.
  private static final String REGISTER = "%envreg";

  private final OpenClTarget target;
  private final ProgramCache cache;
  private final Counters counters;
  private final BuildWatch watch = OpenClDevice.newWatch();

  /// Guarded by [OpenClProgram#COMPILER].
  private @Nullable OpenClContext context;

  /// @param cacheDirectory for built programs, which are those of the OpenCL device
  public PtxCompiler(OpenClTarget target, Path cacheDirectory, Counters counters) {
    this.target = target;
    this.counters = counters;
    cache = OpenClDevice.programs(cacheDirectory);
  }

  /// A program in PTX.
  ///
  /// @param cached whether it came from the cache on disk
  public record Ptx(String text, boolean cached) {}

  /// Whether a device is one of NVIDIA's, which it compiles for.
  public static boolean suits(DeviceInfo info) {
    return info.kind() == DeviceInfo.Kind.OPENCL_GPU && info.vendor().contains("NVIDIA");
  }

  /// Where the GPU is on its host's bus, as `0000:1b:00.0`; empty if the driver does not tell.
  public static Optional<String> busId(OpenClTarget target) {
    try {
      var device = target.devices().getFirst();
      return Optional.of(
          "%04x:%02x:%02x.0"
              .formatted(
                  Cl.number(device, PCI_DOMAIN_NV),
                  Cl.number(device, PCI_BUS_NV),
                  Cl.number(device, PCI_SLOT_NV)));
    } catch (DeviceException e) {
      return Optional.empty();
    }
  }

  /// Compiles a program, or takes it from the cache on disk.
  ///
  /// @throws DeviceException with the build log
  public Ptx compile(ProgramCode code) {
    String key = OpenClProgram.key(target, code);
    Optional<byte[]> kept = cache.load(key);
    return kept.map(binary -> new Ptx(text(binary), true)).orElseGet(() -> built(code, key));
  }

  private Ptx built(ProgramCode code, String key) {
    var build = new KernelBuild(code.name(), code.kernels().size());
    return Threads.withDeepStack(
        "mie-ptx-compiler",
        () -> watch.during(build, () -> true, () -> new Ptx(text(binary(code, key)), false)));
  }

  private byte[] binary(ProgramCode code, String key) {
    OpenClProgram.COMPILER.lock();
    try {
      OpenClProgram program = new OpenClProgram(context(), cache, code, _ -> {});
      try {
        byte[] binary =
            program
                .binary()
                .orElseThrow(
                    () -> new DeviceException("the driver gives no PTX of program " + code.name()));
        cache.store(key, binary);
        return binary;
      } finally {
        program.close();
      }
    } finally {
      OpenClProgram.COMPILER.unlock();
    }
  }

  /* Made for the first program that no cache has; the caller holds the lock. */
  private OpenClContext context() {
    OpenClContext known = context;
    if (known == null) {
      known = new OpenClContext(target, counters, () -> {});
      context = known;
    }
    return known;
  }

  @Override
  public void close() {
    OpenClProgram.COMPILER.lock();
    try {
      if (context != null) {
        context.close();
        context = null;
      }
    } finally {
      OpenClProgram.COMPILER.unlock();
    }
  }

  /// PTX as a driver without those registers takes it.
  ///
  /// @throws DeviceException if it asks for others, which would be 0 there, too
  static String text(byte[] binary) {
    String all = new String(binary, StandardCharsets.ISO_8859_1);
    int end = all.indexOf('\0');
    String text = OFFSET_REGISTER.matcher(end < 0 ? all : all.substring(0, end)).replaceAll("0");
    int at = text.indexOf(REGISTER);
    if (at >= 0) {
      throw new DeviceException(
          "a kernel asks for the size of its grid or the like (%s), which the CUDA driver does not tell"
              .formatted(text.substring(at, Math.min(text.length(), at + REGISTER.length() + 2))));
    }
    return text;
  }

  /// What has been compiled for some time now; empty if nothing is.
  public Optional<KernelBuild> building() {
    return watch.building();
  }
}
