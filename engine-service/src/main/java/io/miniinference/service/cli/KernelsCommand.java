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
    print(ModelListing.of(read, options, writer(), device.precision(), POOL_BYTES));
    return CommandLines.OK;
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

  private ModelListing.Writer writer() {
    if (codegen != null) {
      return ModelListing.Writer.valueOf(codegen.name());
    }
    return switch (device()) {
      case OPENCL_GPU -> ModelListing.Writer.GPU;
      case OPENCL_CPU -> ModelListing.Writer.CPU;
      case JVM -> ModelListing.Writer.JVM;
    };
  }

  /// The kind of the device that an engine would open.
  private DeviceInfo.Kind device() {
    var devices = new Devices(CacheFolder.ofUser());
    Devices.Kind wanted = Devices.Kind.of(device.kind());
    return devices.list().stream()
        .map(DeviceInfo::kind)
        .filter(kind ->
            wanted == Devices.Kind.AUTO
                || (wanted == Devices.Kind.JVM) == (kind == DeviceInfo.Kind.JVM))
        .findFirst()
        .orElseThrow(() -> new DeviceException(devices.withoutOpenCl().orElse("no device")));
  }
}
