package io.miniinference.listing;

import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.Locale;
import java.util.stream.Collectors;

/// Text of a [Program]: its blocks, and its steps with those of their bodies inside.
public final class ProgramListing {
  private final Program program;
  private final Page page = new Page();

  private ProgramListing(Program program) {
    this.program = program;
  }

  /// The whole program; sizes are in bytes, in the batch `N`.
  public static String of(Program program) {
    ProgramListing listing = new ProgramListing(program);
    listing.page.line("program '" + program.name() + "'");
    listing.page.nested(listing::write);
    return listing.page.toString();
  }

  private void write() {
    program
        .blocks()
        .forEach(block ->
            page.line(
                "block @%d '%s' %s, %s bytes"
                    .formatted(block.id(), block.name(), block.space(), block.sizeBytes())));
    body(program.body());
  }

  private void body(Body body) {
    page.line("takes " + ArrayListing.of(body.parameters()));
    body.steps().forEach(this::step);
    page.line("gives " + ArrayListing.of(body.results()));
  }

  private void step(Step step) {
    page.line(
        "step %d '%s' %s, %s"
            .formatted(
                step.number(),
                step.name(),
                step.op(),
                step.kind().name().toLowerCase(Locale.ROOT)));
    page.nested(() -> details(step));
  }

  private void details(Step step) {
    page.line("reads " + ArrayListing.of(step.reads()));
    page.line("writes " + ArrayListing.of(step.writes()));
    if (!step.scratch().isEmpty()) {
      page.line(
          "scratch "
              + step.scratch().stream()
                  .map(block -> "@%d, %s bytes".formatted(block.id(), block.sizeBytes()))
                  .collect(Collectors.joining(", ")));
    }
    step.inPlace()
        .forEach(pair ->
            page.line(
                "may write %s over %s"
                    .formatted(
                        step.writes().get(pair.write()).name(),
                        step.reads().get(pair.read()).name())));
    for (Body body : step.bodies()) {
      page.line("body '%s' %s".formatted(body.name(), body.kind()));
      page.nested(() -> body(body));
    }
  }
}
