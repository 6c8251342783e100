package io.miniinference.service.cli;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.choice.Devices;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.compile.ModelListing;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kernels`: the text of a model's kernels, and what the stages before them made.
@Command(
    name = "kernels",
    description = {
      "Prints the text of a model's kernels as it is built, or what each stage before them made.",
      "Either writer's text can be printed on any machine."
    },
    mixinStandardHelpOptions = true)
final class KernelsCommand implements Callable<Integer> {
  /// What the service's pool has, as [DeviceOption] opens it.
  private static final long POOL_BYTES = 1L << 30;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ModelArgument model = new ModelArgument();
  @Mixin private DeviceOption device = new DeviceOption();
  @Mixin private SizesOption sizes = new SizesOption();

  @Option(
      names = "--codegen",
      paramLabel = "cpu|gpu",
      description = "which writer, whatever devices there are (default: that of the device)")
  private @Nullable Codegen codegen;

  @Option(
      names = "--step",
      paramLabel = "NAME",
      description = "only the kernels of the step of that name or number")
  private @Nullable String step;

  @Option(
      names = "--stages",
      description = "instead of kernels: core IR after each pass, steps, plan and schedule")
  private boolean stages;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "largest batch that memory is planned for (default: ${DEFAULT-VALUE})")
  private int batch = 1;

  private enum Codegen {
    CPU,
    GPU
  }

  @Override
  public Integer call() {
    if (batch < 1) {
      throw new ParameterException(spec.commandLine(), "--batch " + batch + " is not 1 or more");
    }
    if (stages && step != null) {
      throw new ParameterException(
          spec.commandLine(), "--stages shows all steps, not --step alone");
    }
    OnnxModel read = model.read();
    LoadOptions options = sizes.of(read).withMaxBatch(batch);
    print(listing(read, options));
    return CommandLines.OK;
  }

  private ModelListing listing(OnnxModel read, LoadOptions options) {
    return codegen == null
        ? ModelListing.of(read, options, device(), device.precision(), POOL_BYTES)
        : ModelListing.of(
            read,
            options,
            ModelListing.Writer.valueOf(codegen.name()),
            device.precision(),
            POOL_BYTES);
  }

  private void print(ModelListing listing) {
    PrintWriter out = spec.commandLine().getOut();
    String name = step;
    if (stages) {
      out.print(listing.stages());
    } else {
      out.print(name == null ? listing.kernels() : listing.kernels(name));
    }
    out.flush();
  }

  /// The device that an engine would open.
  private DeviceInfo device() {
    var devices = new Devices(CacheFolder.ofUser());
    Devices.Kind wanted = Devices.Kind.of(device.kind());
    return devices.list().stream()
        .filter(each -> isOf(wanted, each))
        .findFirst()
        .orElseThrow(() -> new DeviceException(devices.withoutOpenCl().orElse("no device")));
  }

  private static boolean isOf(Devices.Kind wanted, DeviceInfo device) {
    return switch (wanted) {
      case AUTO -> true;
      case GPU -> device.kind() == DeviceInfo.Kind.OPENCL_GPU;
      case OPENCL -> device.isOpenCl();
      case JVM -> device.kind() == DeviceInfo.Kind.JVM;
    };
  }
}
