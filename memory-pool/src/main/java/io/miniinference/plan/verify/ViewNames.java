package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which written values a name may be read as: a written name is itself, the result of a view step
/// is what its operands in the same block are.
final class ViewNames {
  private final Map<String, Set<String>> origins = new HashMap<>();

  ViewNames(Program program) {
    add(program.body());
  }

  private void add(Body body) {
    body.parameters().forEach(p -> origins.put(p.name(), Set.of(p.name())));
    body.steps().forEach(this::add);
  }

  private void add(Step step) {
    step.bodies().forEach(this::add);
    for (Array written : step.writes()) {
      if (step.kind() == Step.Kind.VIEW) {
        addView(step, written);
      } else {
        origins.put(written.name(), Set.of(written.name()));
      }
    }
  }

  /* The view of a name that no step makes is such a name itself. */
  private void addView(Step step, Array written) {
    Set<String> names = new HashSet<>(Set.of(written.name()));
    for (Array read : step.reads()) {
      if (read.block().id() == written.block().id()) {
        Set<String> known = origins.get(read.name());
        if (known == null) {
          return;
        }
        names.addAll(known);
      }
    }
    origins.put(written.name(), Set.copyOf(names));
  }

  /// Whether bytes written as `written` may be read as `read`. A name that no step makes stands for
  /// whatever the program last wrote in its block.
  boolean allows(String read, String written) {
    Set<String> names = origins.get(read);
    return names == null || names.contains(written);
  }
}
