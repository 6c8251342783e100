package io.miniinference.listing;

import io.miniinference.device.Launch;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Text of which kernel each step launches, over how much work, as comments ahead of the kernels'
/// own text.
public final class LaunchListing {
  private LaunchListing() {}

  /// Comments, and then the text as it is built.
  public static String of(LoweredProgram program, Generated generated) {
    Map<Integer, LoweredStep> steps = new HashMap<>();
    program.steps().forEach(step -> steps.put(step.number(), step));
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < generated.launches().size(); i++) {
      LoweredStep step = Objects.requireNonNull(steps.get(generated.steps().get(i)));
      out.append("// ").append(line(step, generated.launches().get(i))).append('\n');
    }
    return out.append('\n').append(generated.code().source()).toString();
  }

  private static String line(LoweredStep step, Launch launch) {
    return "step %d '%s' %s: %s, %s"
        .formatted(
            step.number(),
            step.node().name(),
            step.node().onnxOp(),
            launch.kernel(),
            work(launch.work()));
  }

  private static String work(Launch.Work work) {
    return switch (work) {
      case Launch.Items items ->
          "work items: %s, in shares of %d or more"
              .formatted(
                  tiles(items.count().toString(), items.tile())
                      + (items.times() == 1 ? "" : " x " + items.times()),
                  items.grain());
      case Launch.Groups groups ->
          "work-groups: "
              + dimensions(groups.dimensions())
              + (groups.inTurn() ? ", of which dimension 0 is a launch each, in turn" : "")
              + batches(groups.batches());
    };
  }

  private static String batches(Launch.Batches batches) {
    if (batches.equals(Launch.Batches.ALL)) {
      return "";
    }
    String until = batches.until() == Long.MAX_VALUE ? "" : ", N < " + batches.until();
    return (batches.from() == 0 ? "" : ", N >= " + batches.from()) + until;
  }

  private static String dimensions(List<Launch.Extent> dimensions) {
    return dimensions.stream()
        .map(d -> "%s of %d work items".formatted(tiles(d.count().toString(), d.tile()), d.local()))
        .collect(Collectors.joining(" by "));
  }

  private static String tiles(String count, int tile) {
    return tile == 1 ? count : "ceil(%s / %d)".formatted(count, tile);
  }
}
