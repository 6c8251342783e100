package io.miniinference.device.opencl;

import static org.jocl.CL.*;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.driver.BindingLibrary;
import io.miniinference.device.host.Processor;
import io.miniinference.repository.UsableFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jocl.CL;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;
import org.jocl.cl_queue_properties;
import org.jspecify.annotations.Nullable;

/// What OpenCL offers on this host. Drivers are looked up once per process, since they read the
/// environment once.
///
/// @param targets best first
/// @param problem one line on why there is nothing, or empty
public record OpenClTargets(List<OpenClTarget> targets, String problem) {
  /// `CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV` of `cl_nv_device_attribute_query`.
  private static final int COMPUTE_CAPABILITY_MAJOR_NV = 0x4000;

  private static final long AMPERE = 8;

  private static final String REMEDY =
      System.getProperty("os.name").equals("Linux")
          ? "apt-get install pocl-opencl-icd ocl-icd-libopencl1"
          : "the driver of a GPU brings it; without it models run on the JVM";
  private static final int MOST_PLATFORMS = 64;
  private static final int MOST_DEVICES = 1024;
  private static final int PLATFORM_NOT_FOUND_KHR = -1001;

  public OpenClTargets {
    targets = List.copyOf(targets);
  }

  /// Room that a few programs take.
  static final long PROGRAM_BYTES = 16L << 20;

  private static final Object LOCK = new Object();
  private static @Nullable Path poclDirectory;
  private static @Nullable CacheInventory inventory;

  /// Looks around. Never fails: without a loader or a driver, [#problem] says so.
  ///
  /// @param cacheDirectory for what PoCL compiles; the first caller's counts
  public static OpenClTargets find(Path cacheDirectory) {
    synchronized (LOCK) {
      try {
        configure(cacheDirectory);
        Optional<String> problem = BindingLibrary.initialise(CL.class);
        if (problem.isPresent()) {
          return new OpenClTargets(List.of(), problem.get());
        }
        cl_platform_id[] platforms = platforms();
        Optional<String> old = tooOld(namesByVersion(platforms), OpenClTargets::makeNoQueue);
        if (old.isPresent()) {
          return new OpenClTargets(List.of(), old.get());
        }
        List<OpenClTarget> found = search(platforms);
        return new OpenClTargets(found, found.isEmpty() ? none(whyNone(platforms)) : "");
      } catch (IllegalCallerException e) {
        return new OpenClTargets(List.of(), BindingLibrary.denied());
      } catch (LinkageError e) {
        return new OpenClTargets(List.of(), none("its loader is missing or cannot be used"));
      } catch (RuntimeException e) {
        return new OpenClTargets(List.of(), none(String.valueOf(e.getMessage())));
      }
    }
  }

  private static Map<String, String> namesByVersion(cl_platform_id[] platforms) {
    Map<String, String> names = new TreeMap<>();
    for (cl_platform_id platform : platforms) {
      names.put(Cl.text(platform, CL_PLATFORM_VERSION), Cl.text(platform, CL_PLATFORM_NAME));
    }
    return names;
  }

  /// One line for a library without the one function of OpenCL 2.0 that the engine calls, which
  /// makes its queues. That of macOS is of version 1.2. A loader has the function whatever the
  /// versions of the drivers behind it, and so have some drivers of earlier versions.
  ///
  /// @param platforms names by version
  /// @param function throws [UnsupportedOperationException] if the library does not have it
  static Optional<String> tooOld(Map<String, String> platforms, Runnable function) {
    boolean old = platforms.keySet().stream().allMatch(version -> version.startsWith("OpenCL 1."));
    if (platforms.isEmpty() || !old) {
      return Optional.empty();
    }
    try {
      function.run();
      return Optional.empty();
    } catch (UnsupportedOperationException e) {
      var first = platforms.entrySet().iterator().next();
      return Optional.of(
          "no OpenCL found that the engine can use (%s has %s, and a function of OpenCL 2.0 is needed): models run on the JVM, and in a container of Linux over PoCL"
              .formatted(first.getValue(), first.getKey()));
    }
  }

  /* Without a context it answers that there is none. */
  private static void makeNoQueue() {
    CL.clCreateCommandQueueWithProperties(null, null, new cl_queue_properties(), new int[1]);
  }

  private static String whyNone(cl_platform_id[] platforms) {
    return platforms.length == 0 ? "no driver is installed" : "its drivers show no device";
  }

  private static String none(String why) {
    return "no OpenCL found (" + why.lines().findFirst().orElse(why) + "): " + REMEDY;
  }

  /// PoCL's `basic` devices run a launch on the thread that waits for it: microseconds, where its
  /// own thread pool takes tens. One per core, to be driven by a
  /// [io.miniinference.device.team.Team], and one on which kernels are launched for the first time:
  /// two threads on one such device wait for each other for ever.
  private static void configure(Path cacheDirectory) {
    if (poclDirectory == null) {
      int cores = Runtime.getRuntime().availableProcessors();
      poclDirectory = UsableFolder.of(cacheDirectory.resolve("pocl"), PROGRAM_BYTES);
      ProcessEnvironment.preset(
          "POCL_DEVICES", String.join(" ", Collections.nCopies(cores + 1, "basic")));
      ProcessEnvironment.preset("POCL_CACHE_DIR", poclDirectory.toString());
    }
  }

  /// The directory in which PoCL keeps compiled kernels.
  static Path poclCache() {
    synchronized (LOCK) {
      String chosen = System.getenv("POCL_CACHE_DIR");
      if (chosen != null) {
        return Path.of(chosen);
      }
      if (poclDirectory == null) {
        throw new IllegalStateException("drivers were not looked for yet");
      }
      return poclDirectory;
    }
  }

  /// What is known of that directory; empty if it is not the engine's own, but named in the
  /// environment. The caller holds [OpenClProgram#COMPILER] and its lock.
  static Optional<CacheInventory> inventory() {
    synchronized (LOCK) {
      if (inventory == null && System.getenv("POCL_CACHE_DIR") == null) {
        inventory = new CacheInventory(poclCache(), KernelLibraries::held);
      }
      return Optional.ofNullable(inventory);
    }
  }

  /// Makes the directory in which PoCL compiles. It does so itself once, and if somebody empties
  /// the cache while the service runs, every build after that fails.
  static void makeCache() {
    synchronized (LOCK) {
      if (poclDirectory != null && System.getenv("POCL_CACHE_DIR") == null) {
        try {
          Files.createDirectories(poclDirectory);
        } catch (IOException e) {
          throw new DeviceException(
              "the cache %s cannot be made: %s; set engine.cache.directory to a folder that can be written"
                  .formatted(poclDirectory, e),
              e);
        }
      }
    }
  }

  private static List<OpenClTarget> search(cl_platform_id[] platforms) {
    List<OpenClTarget> found = new ArrayList<>();
    for (cl_platform_id platform : platforms) {
      found.addAll(ofPlatform(platform));
    }
    found.sort(Comparator.comparing(target -> target.info().kind()));
    return found;
  }

  private static cl_platform_id[] platforms() {
    int[] count = {0};
    int code = CL.clGetPlatformIDs(0, null, count);
    if (code == PLATFORM_NOT_FOUND_KHR) {
      return new cl_platform_id[0];
    }
    Cl.check(code, "clGetPlatformIDs");
    cl_platform_id[] platforms = new cl_platform_id[Math.min(count[0], MOST_PLATFORMS)];
    Cl.check(CL.clGetPlatformIDs(platforms.length, platforms, null), "clGetPlatformIDs");
    return platforms;
  }

  private static List<OpenClTarget> ofPlatform(cl_platform_id platform) {
    List<OpenClTarget> found = new ArrayList<>();
    for (cl_device_id device : devices(platform, CL_DEVICE_TYPE_GPU)) {
      found.add(target(platform, List.of(device), DeviceInfo.Kind.OPENCL_GPU));
    }
    List<cl_device_id> cpus = devices(platform, CL_DEVICE_TYPE_CPU);
    if (isTeam(platform, cpus)) {
      SignalChaining.warnIfMissing();
      found.add(target(platform, cpus, DeviceInfo.Kind.OPENCL_CPU));
    } else {
      for (cl_device_id device : cpus) {
        found.add(target(platform, List.of(device), DeviceInfo.Kind.OPENCL_CPU));
      }
    }
    return found;
  }

  /// Several CPU devices of PoCL are the cores of this host when each is single-threaded.
  private static boolean isTeam(cl_platform_id platform, List<cl_device_id> cpus) {
    return !cpus.isEmpty()
        && Cl.text(platform, CL_PLATFORM_NAME).contains(OpenClTarget.POCL)
        && cpus.stream().allMatch(OpenClTargets::isSingleThreaded);
  }

  private static boolean isSingleThreaded(cl_device_id device) {
    String name = Cl.text(device, CL_DEVICE_NAME);
    return name.startsWith("basic") || name.startsWith("cpu-minimal");
  }

  private static List<cl_device_id> devices(cl_platform_id platform, long type) {
    int[] count = {0};
    int code = CL.clGetDeviceIDs(platform, type, 0, null, count);
    if (code == CL_DEVICE_NOT_FOUND || count[0] == 0) {
      return List.of();
    }
    Cl.check(code, "clGetDeviceIDs");
    cl_device_id[] devices = new cl_device_id[Math.min(count[0], MOST_DEVICES)];
    Cl.check(CL.clGetDeviceIDs(platform, type, devices.length, devices, null), "clGetDeviceIDs");
    return List.of(devices);
  }

  private static OpenClTarget target(
      cl_platform_id platform, List<cl_device_id> devices, DeviceInfo.Kind kind) {
    cl_device_id first = devices.getFirst();
    DeviceInfo info =
        new DeviceInfo(
            kind,
            Cl.text(first, CL_DEVICE_NAME),
            Cl.text(first, CL_DEVICE_VENDOR),
            Cl.text(first, CL_DRIVER_VERSION),
            Cl.text(platform, CL_PLATFORM_NAME),
            OpenClTarget.workers(devices),
            1,
            Cl.number(first, CL_DEVICE_GLOBAL_MEM_SIZE),
            Cl.number(first, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
            Cl.number(first, CL_DEVICE_LOCAL_MEM_SIZE),
            kind == DeviceInfo.Kind.OPENCL_CPU,
            Cl.text(first, CL_DEVICE_EXTENSIONS).contains("cl_khr_fp64"),
            hasTensorCores(first),
            hasByteSums(platform, kind));
    return new OpenClTarget(platform, devices, info, hasExactDivision(first));
  }

  /* Ampere was the first to multiply matrices of TF32 numbers. */
  private static boolean hasTensorCores(cl_device_id device) {
    return Cl.text(device, CL_DEVICE_EXTENSIONS).contains("cl_nv_device_attribute_query")
        && Cl.number(device, COMPUTE_CAPABILITY_MAJOR_NV) >= AMPERE;
  }

  /* PoCL compiles for the processor that it runs on; another platform may not. */
  private static boolean hasByteSums(cl_platform_id platform, DeviceInfo.Kind kind) {
    return kind == DeviceInfo.Kind.OPENCL_CPU
        && Cl.text(platform, CL_PLATFORM_NAME).contains(OpenClTarget.POCL)
        && Processor.hasByteSums();
  }

  private static boolean hasExactDivision(cl_device_id device) {
    long single = Cl.number(device, CL_DEVICE_SINGLE_FP_CONFIG);
    return (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  }
}
