package io.miniinference.lower;

import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a target made of a lowered program.
///
/// @param code the program
/// @param launches in order; entries of [Launch#offsets] are block ids, and
///   [LoweredProgram#failureSlotsId] for the failure slots
/// @param steps per launch the number of its step; a step has one launch or several, one after the
///   other
public record Generated(ProgramCode code, List<Launch> launches, List<Integer> steps) {
  public Generated {
    launches = List.copyOf(launches);
    steps = List.copyOf(steps);
    if (launches.size() != steps.size()) {
      throw new IllegalArgumentException(launches.size() + " launches of " + steps.size());
    }
  }

  /// Places in [#launches] by step number.
  public Map<Integer, List<Integer>> launchesByStep() {
    return IntStream.range(0, steps.size()).boxed().collect(Collectors.groupingBy(steps::get));
  }
}
