package io.miniinference.device.opencl;

import static org.jocl.CL.*;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.driver.BuildsAtExit;
import io.miniinference.layout.Affine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_device_id;
import org.jocl.cl_mem;
import org.jocl.cl_program;
import org.jspecify.annotations.Nullable;

/// A program in a context: built from its text, or from the binary that an earlier process kept
/// once all its kernels had been launched.
final class OpenClProgram implements DeviceProgram {
  /// Held while anything is built or launched for the first time: PoCL aborts the process when two
  /// threads compile at once.
  static final ReentrantLock COMPILER = new ReentrantLock();

  private static final BuildsAtExit AT_EXIT = new BuildsAtExit(COMPILER).registered();

  private static final System.Logger LOG = System.getLogger(OpenClProgram.class.getName());
  private static final int LONGEST_LOG = 8_000;
  private static final Launch.Work NO_ITEMS = new Launch.Items(Affine.ZERO, 1);

  private final OpenClContext context;
  private final ProgramCache cache;
  private final ProgramCode code;
  private final String options;
  private final String key;
  private final Map<String, Integer> arguments;

  /// What was launched for the first time: all devices of a team share what is compiled for one.
  private final Map<Variant, WarmKernel> warm = new HashMap<>();

  /// Whether all that the driver has compiled is held and, where that is done, kept on disk;
  /// guarded by [#COMPILER].
  private boolean settled;

  /// Whether it was kept on disk; guarded by [#COMPILER].
  private boolean kept;

  private final List<KernelLibraries.Library> libraries = new ArrayList<>();
  private final cl_program handle;
  private final KernelHandles handles;
  private final Consumer<OpenClProgram> onClose;
  private final boolean cached;
  private final Optional<CompiledPrograms> before;
  private boolean closed;

  /// Builds a program. The caller holds [#COMPILER].
  OpenClProgram(
      OpenClContext context,
      ProgramCache cache,
      ProgramCode code,
      Consumer<OpenClProgram> onClose) {
    this.context = context;
    this.cache = cache;
    this.code = code;
    this.onClose = onClose;
    arguments = arguments(code);
    options = options(context.target(), code);
    key = key(context.target(), code);
    before =
        context.target().isPocl()
            ? Optional.of(CompiledPrograms.mark(OpenClTargets.poclCache()))
            : Optional.empty();
    cl_program known = load().map(this::fromBinary).orElse(null);
    cached = known != null;
    handle = known != null ? known : fromSource();
    context.counters().allocations.increment();
    handles = new KernelHandles(handle, context.counters());
  }

  private Optional<byte[]> load() {
    return context.target().keepsPrograms() ? cache.load(key) : Optional.empty();
  }

  private static Map<String, Integer> arguments(ProgramCode code) {
    Map<String, Integer> arguments = new HashMap<>();
    for (ProgramCode.KernelCode kernel : code.kernels()) {
      switch (kernel) {
        case ProgramCode.OpenClKernel openCl -> arguments.put(openCl.name(), openCl.arguments());
        case ProgramCode.JavaKernel java ->
            throw new DeviceException(
                "program '%s': kernel '%s' is Java, and this device runs OpenCL C"
                    .formatted(code.name(), java.name()));
      }
    }
    return arguments;
  }

  private static String options(OpenClTarget target, ProgramCode code) {
    return (target.buildOptions() + " " + code.options()).strip();
  }

  /// The name under which its binary is kept.
  static String key(OpenClTarget target, ProgramCode code) {
    return ProgramCache.key(
        List.of(
            code.source(),
            options(target, code),
            target.info().name(),
            target.info().driver(),
            Cl.text(target.platform(), CL_PLATFORM_VERSION)));
  }

  /// Null if the driver does not take the binary: then the text is built.
  private @Nullable cl_program fromBinary(byte[] binary) {
    cl_device_id[] devices = context.devices();
    long[] lengths = new long[devices.length];
    byte[][] binaries = new byte[devices.length][];
    Arrays.fill(lengths, binary.length);
    Arrays.fill(binaries, binary);
    int[] result = {0};
    cl_program program =
        CL.clCreateProgramWithBinary(
            context.handle(), devices.length, devices, lengths, binaries, null, result);
    if (result[0] != CL_SUCCESS) {
      return null;
    }
    AT_EXIT.check();
    if (CL.clBuildProgram(program, 0, null, options, null, null) != CL_SUCCESS) {
      CL.clReleaseProgram(program);
      return null;
    }
    return program;
  }

  private cl_program fromSource() {
    if (OwnFunctions.suit(context.target())) {
      cl_program program = created(OwnFunctions.ahead(code.source()));
      if (build(program, OwnFunctions.options(options)) == CL_SUCCESS) {
        return program;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "program ''{0}'' is built with all functions of OpenCL C: {1}",
          code.name(),
          log(program));
      CL.clReleaseProgram(program);
    }
    cl_program program = created(code.source());
    int built = build(program, options);
    if (built != CL_SUCCESS) {
      String log = log(program);
      CL.clReleaseProgram(program);
      throw Cl.failure(built, "clBuildProgram", "program '" + code.name() + "':\n" + log);
    }
    return program;
  }

  private cl_program created(String source) {
    int[] result = {0};
    cl_program program =
        CL.clCreateProgramWithSource(context.handle(), 1, new String[] {source}, null, result);
    Cl.check(result[0], "clCreateProgramWithSource");
    return program;
  }

  private int build(cl_program program, String how) {
    AT_EXIT.check();
    context.counters().builds.increment();
    return CL.clBuildProgram(program, 0, null, how, null, null);
  }

  private String log(cl_program program) {
    cl_device_id device = context.target().devices().getFirst();
    try {
      String log =
          Cl.text(
              "clGetProgramBuildInfo",
              (bytes, at, size) ->
                  CL.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, at, size));
      return log.length() <= LONGEST_LOG
          ? log
          : log.substring(0, LONGEST_LOG) + "\n… (" + log.length() + " characters in all)";
    } catch (DeviceException e) {
      return "(no build log: " + e.getMessage() + ")";
    }
  }

  KernelHandles handles() {
    return handles;
  }

  String name() {
    return code.name();
  }

  Set<String> kernelNames() {
    return arguments.keySet();
  }

  /// The number of offsets that a kernel takes.
  int arguments(Launch launch) {
    Integer count = arguments.get(launch.kernel());
    if (count == null || count != launch.offsets().size()) {
      throw new IllegalArgumentException(
          "program '%s': the launch of kernel '%s' gives %d offsets, and the program has %s"
              .formatted(
                  code.name(),
                  launch.kernel(),
                  launch.offsets().size(),
                  count == null ? "no such kernel" : "one that takes " + count));
    }
    return count;
  }

  /// Launches a kernel for the first time, unless it was. The caller holds [#COMPILER].
  ///
  /// @param settle waits for all runs that have begun
  void warmUp(Launch launch, long[] local, cl_mem pool, Runnable settle) {
    if (isWarm(launch, local)) {
      return;
    }
    AT_EXIT.check();
    settled = false;
    WarmKernel kernel = WarmKernel.of(this, launch, local, pool, context);
    warm.put(Variant.of(launch, local), kernel);
    context.addVariants(1);
    kernel.load(settle);
    if (!context.target().isPocl() && !cached) {
      context.counters().compiled.increment();
    }
  }

  /// Whether nothing that the driver has compiled is left to hold or to keep. The caller holds
  /// [#COMPILER].
  boolean isSettled() {
    return settled;
  }

  /// Whether a kernel was launched, and nothing of its program is left to keep. The caller holds
  /// [#COMPILER].
  boolean isReady(Launch launch, long[] local) {
    return settled && isWarm(launch, local);
  }

  /// How many of its kernels were not launched yet. The caller holds [#COMPILER].
  int waiting() {
    return arguments.size() - (int) warm.keySet().stream().map(Variant::kernel).distinct().count();
  }

  private boolean isWarm(Launch launch, long[] local) {
    return warm.containsKey(Variant.of(launch, local));
  }

  /// Launches for the first time what was built for other shapes of its model, in work-groups of
  /// one. The caller holds [#COMPILER].
  ///
  /// @param settle waits for all runs that have begun
  void warmUpRest(cl_mem pool, Runnable settle) {
    if (warm.size() >= arguments.size()) {
      return;
    }
    Set<String> known = warm.keySet().stream().map(Variant::kernel).collect(Collectors.toSet());
    arguments.forEach((kernel, count) -> {
      if (!known.contains(kernel)) {
        List<Integer> offsets = Collections.nCopies(count, 0);
        warmUp(new Launch(kernel, offsets, NO_ITEMS), new long[] {1}, pool, settle);
      }
    });
  }

  /// Keeps the program on disk, once, with what the driver has compiled at first launches. The
  /// caller holds [#COMPILER].
  void keep() {
    if (settled) {
      return;
    }
    settled = true;
    holdLibraries();
    if (context.target().keepsPrograms() && !cached && !kept) {
      kept = true;
      binary().ifPresent(binary -> cache.store(key, binary));
    }
  }

  /// Keeps open what PoCL has compiled so far. The caller holds [#COMPILER].
  void holdLibraries() {
    before.ifPresent(mark -> {
      List<KernelLibraries.Library> held = KernelLibraries.hold();
      libraries.addAll(held);
      context
          .counters()
          .compiled
          .add(held.stream().filter(it -> mark.isOlderThan(Path.of(it.path()))).count());
    });
  }

  /// The first device's binary: the others of a team are its like.
  Optional<byte[]> binary() {
    long[] sizes = new long[context.devices().length];
    int code =
        CL.clGetProgramInfo(
            handle,
            CL_PROGRAM_BINARY_SIZES,
            (long) sizes.length * Sizeof.size_t,
            Pointer.to(sizes),
            null);
    if (code != CL_SUCCESS || Arrays.stream(sizes).anyMatch(s -> s <= 0 || s > 1 << 28)) {
      return Optional.empty();
    }
    byte[][] binaries = new byte[sizes.length][];
    Pointer[] pointers = new Pointer[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      binaries[i] = new byte[(int) sizes[i]];
      pointers[i] = Pointer.to(binaries[i]);
    }
    long bytes = (long) sizes.length * Sizeof.POINTER;
    code = CL.clGetProgramInfo(handle, CL_PROGRAM_BINARIES, bytes, Pointer.to(pointers), null);
    return code == CL_SUCCESS ? Optional.of(binaries[0]) : Optional.empty();
  }

  @Override
  public boolean cached() {
    return cached;
  }

  @Override
  public int kernels() {
    return arguments.size();
  }

  @Override
  public void close() {
    COMPILER.lock();
    try {
      if (!closed) {
        closed = true;
        context.addVariants(-warm.size());
        warm.values().forEach(WarmKernel::close);
        handles.close();
        CL.clReleaseProgram(handle);
        libraries.forEach(KernelLibraries.Library::close);
        giveBackMemory();
      }
    } finally {
      COMPILER.unlock();
    }
    onClose.accept(this);
  }

  private void giveBackMemory() {
    if (context.target().isPocl()) {
      FreedMemory.giveBackSoon();
    }
  }

  /// What a driver compiles for itself at a first launch.
  private record Variant(String kernel, String local) {
    static Variant of(Launch launch, long[] local) {
      return new Variant(launch.kernel(), Arrays.toString(local));
    }
  }
}
