package io.miniinference.device.choice;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.cuda.CudaDevice;
import io.miniinference.device.host.HostMemory;
import io.miniinference.device.jvm.JvmDevice;
import io.miniinference.device.opencl.OpenClDevice;
import io.miniinference.device.opencl.OpenClTarget;
import io.miniinference.device.opencl.OpenClTargets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The devices of this host, best first: GPUs, then OpenCL CPUs, then the JVM, which is always
/// there.
public final class Devices {
  private static final System.Logger LOG = System.getLogger(Devices.class.getName());

  private final Path cacheDirectory;
  private @Nullable OpenClTargets openCl;

  /// Devices, looked for when they are first asked for. Never fails for want of OpenCL.
  ///
  /// @param cacheDirectory for built programs; made when first needed
  public Devices(Path cacheDirectory) {
    this.cacheDirectory = cacheDirectory.toAbsolutePath();
  }

  /* A start on the JVM device loads no driver. */
  private synchronized OpenClTargets openCl() {
    if (openCl == null) {
      openCl = OpenClTargets.find(cacheDirectory);
    }
    return openCl;
  }

  /// All that could run. The position of an OpenCL device here is its index for [Choice#device].
  public List<DeviceInfo> list() {
    List<DeviceInfo> all = new ArrayList<>();
    openCl().targets().stream()
        .map(OpenClTarget::info)
        .map(info -> CudaDevice.suits(info) ? CudaDevice.info(info) : info)
        .forEach(all::add);
    all.add(HostMemory.jvmInfo(Runtime.getRuntime().availableProcessors()));
    return List.copyOf(all);
  }

  /// One line on why there is no OpenCL device, and the remedy; empty if there is one.
  public Optional<String> withoutOpenCl() {
    return Optional.of(openCl().problem()).filter(problem -> !problem.isEmpty());
  }

  /// One line on why the JVM was opened where any device would have done, and the remedy; empty if
  /// another was opened, or the JVM asked for.
  public Optional<String> whyJvm(Kind asked, DeviceInfo opened) {
    return asked == Kind.AUTO && !opened.isOpenCl() ? withoutOpenCl() : Optional.empty();
  }

  /// Opens the best device that `choice` allows. From then on whoever else uses OpenCL in this
  /// process can compile, too: PoCL has its directory.
  ///
  /// @throws DeviceException if there is none, with what there is
  public Device open(Choice choice) {
    if (choice.kind() == Kind.JVM) {
      return new JvmDevice();
    }
    for (int i = 0; i < openCl().targets().size(); i++) {
      OpenClTarget target = openCl().targets().get(i);
      if (choice.allows(target.info(), i)) {
        return choice.kind() != Kind.OPENCL && CudaDevice.suits(target.info())
            ? cudaOrOpenCl(target)
            : new OpenClDevice(target, cacheDirectory);
      }
    }
    if (choice.kind() == Kind.AUTO && choice.isOpen()) {
      return new JvmDevice();
    }
    throw new DeviceException(missing(choice));
  }

  private Device cudaOrOpenCl(OpenClTarget target) {
    try {
      return new CudaDevice(target, cacheDirectory);
    } catch (DeviceException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} runs behind OpenCL, since the CUDA driver does not open it: {1}",
          target.info().name(),
          e.getMessage());
      return new OpenClDevice(target, cacheDirectory);
    }
  }

  private String missing(Choice choice) {
    if (choice.kind() == Kind.GPU && choice.isOpen()) {
      return "there is no GPU, and engine.device=gpu takes no other device: " + others();
    }
    return openCl().targets().isEmpty()
        ? openCl().problem()
        : "no %s matches platform '%s', device '%s'; %s"
            .formatted(
                choice.kind() == Kind.GPU ? "GPU" : "OpenCL device",
                choice.platform() == null ? "" : choice.platform(),
                choice.device() == null ? "" : choice.device(),
                others());
  }

  private String others() {
    return openCl().targets().isEmpty()
        ? openCl().problem()
        : openCl().targets().stream()
            .map(target -> "'%s' of '%s'".formatted(target.info().name(), target.info().platform()))
            .collect(Collectors.joining(", ", "there are: ", ""));
  }

  /// Which kind of device to use.
  public enum Kind {
    /// A GPU, else an OpenCL CPU, else the JVM. One of NVIDIA's runs behind the CUDA driver.
    AUTO,
    /// A GPU, as `auto` opens it, or none.
    GPU,
    /// A GPU, else a CPU, behind OpenCL.
    OPENCL,
    JVM;

    /// Reads `auto`, `gpu`, `opencl` or `jvm`.
    public static Kind of(String text) {
      try {
        return valueOf(text.strip().toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "engine.device '" + text + "' is none of auto, gpu, opencl and jvm", e);
      }
    }
  }

  /// A choice among devices.
  ///
  /// @param platform part of an OpenCL platform's name, or null for any
  /// @param device part of an OpenCL device's name, or its index in [#list], or null for any
  public record Choice(Kind kind, @Nullable String platform, @Nullable String device) {
    public static final Choice AUTO = new Choice(Kind.AUTO, null, null);
    public static final Choice GPU = new Choice(Kind.GPU, null, null);
    public static final Choice OPENCL = new Choice(Kind.OPENCL, null, null);
    public static final Choice JVM = new Choice(Kind.JVM, null, null);

    /// Blank selectors are as good as none.
    public Choice {
      platform = platform == null || platform.isBlank() ? null : platform.strip();
      device = device == null || device.isBlank() ? null : device.strip();
    }

    private boolean allows(DeviceInfo info, int index) {
      return (kind != Kind.GPU || info.kind() == DeviceInfo.Kind.OPENCL_GPU)
          && (platform == null || contains(info.platform(), platform))
          && (device == null
              || device.equals(Integer.toString(index))
              || contains(info.name(), device));
    }

    private static boolean contains(String name, String part) {
      return name.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    private boolean isOpen() {
      return platform == null && device == null;
    }
  }
}
