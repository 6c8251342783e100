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
/// @param numbers what entries of [Launch#offsets] from [LoweredProgram#offsets] on stand for:
///   numbers that kernels of a model with open sizes take
public record Generated(
    ProgramCode code, List<Launch> launches, List<Integer> steps, List<Long> numbers) {
  public Generated {
    numbers = List.copyOf(numbers);
    launches = List.copyOf(launches);
    steps = List.copyOf(steps);
    if (launches.size() != steps.size()) {
      throw new IllegalArgumentException(launches.size() + " launches of " + steps.size());
    }
  }

  /// Of a model whose kernels have all their sizes in their text.
  public Generated(ProgramCode code, List<Launch> launches, List<Integer> steps) {
    this(code, launches, steps, List.of());
  }

  /// Places in [#launches] by step number.
  public Map<Integer, List<Integer>> launchesByStep() {
    return IntStream.range(0, steps.size()).boxed().collect(Collectors.groupingBy(steps::get));
  }
}
