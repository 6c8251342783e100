package io.miniinference.listing;

import io.miniinference.schedule.Decision;
import io.miniinference.schedule.Schedule;
import org.jspecify.annotations.Nullable;

/// Text of a [Schedule]: what a request launches, in order, and what decides over it.
public final class ScheduleListing {
  private final Page page = new Page();

  private ScheduleListing() {}

  public static String of(Schedule.Part part) {
    ScheduleListing listing = new ScheduleListing();
    listing.part(part);
    return listing.page.toString();
  }

  private void part(Schedule.Part part) {
    part.steps().forEach(this::step);
  }

  private void step(Schedule step) {
    switch (step) {
      case Schedule.Run run ->
          page.line("launch step " + run.step() + (run.timed() ? " with the clock" : ""));
      case Schedule.Branch branch -> branch(branch);
      case Schedule.Once once -> {
        page.line("iteration %d of '%s'".formatted(once.iteration(), once.node().name()));
        page.nested(() -> part(once.body()));
      }
      case Schedule.Repeat repeat -> repeat(repeat);
    }
  }

  private void branch(Schedule.Branch branch) {
    page.line("if '%s' on %s".formatted(branch.node().name(), decision(branch.condition())));
    page.nested(() -> part(branch.then()));
    page.line("else");
    page.nested(() -> part(branch.otherwise()));
  }

  private void repeat(Schedule.Repeat repeat) {
    page.line(
        "loop '%s' (step %d), at most %s times, from %s, while %s"
            .formatted(
                repeat.node().name(),
                repeat.step(),
                decision(repeat.trips()),
                decision(repeat.first()),
                decision(repeat.goesOn())));
    page.nested(() -> {
      repeat.windows().forEach(window -> page.line("moves on: " + window));
      repeat.pointers().forEach(pointer -> page.line("elsewhere at first: " + pointer));
      repeat.alternations().forEach(each -> page.line("two places by turns: " + each));
      part(repeat.body());
    });
  }

  private static String decision(@Nullable Decision decision) {
    return switch (decision) {
      case null -> "the device alone: both are launched, and kernels look for themselves";
      case Decision.OnHost host -> "'%s', worked out on the host".formatted(host.value().name());
      case Decision.OnDevice device ->
          "%s, read from the device".formatted(ArrayListing.of(device.array()));
    };
  }
}
