package io.miniinference.service.cli;

import io.miniinference.device.DeviceInfo;
import io.miniinference.device.choice.Devices;
import io.miniinference.runtime.CacheFolder;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/// `devices`: what could run, best first.
@Command(
    name = "devices",
    description = "Shows the devices that could run models, best first.",
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "one line of JSON")
  private boolean json;

  @Override
  public Integer call() {
    var devices = new Devices(CacheFolder.ofUser());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(devices));
    } else {
      print(devices.list(), out);
      devices.withoutOpenCl().ifPresent(out::println);
    }
    return CommandLines.OK;
  }

  private static void print(List<DeviceInfo> list, PrintWriter out) {
    for (int i = 0; i < list.size(); i++) {
      DeviceInfo device = list.get(i);
      out.printf(
          "%d  %-10s  %s (%s), %d worker%s, %,d MB, largest pool %,d MB%n",
          i,
          device.kind(),
          device.name(),
          device.platform(),
          device.workers(),
          device.workers() == 1 ? "" : "s",
          device.memoryBytes() >> 20,
          device.maxPoolBytes() >> 20);
    }
  }

  private static String json(Devices devices) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("devices", devices.list());
    root.put("withoutOpenCl", devices.withoutOpenCl().orElse(null));
    return JsonMapper.builder().build().writeValueAsString(root);
  }
}
