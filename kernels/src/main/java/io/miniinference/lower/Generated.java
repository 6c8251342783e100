package io.miniinference.lower;

import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
/// @param network the kernel that computes all of them, if it is one
public record Generated(
    ProgramCode code,
    List<Launch> launches,
    List<Integer> steps,
    List<Long> numbers,
    Optional<Network> network) {
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

  /// Whose batches go step by step.
  public Generated(
      ProgramCode code, List<Launch> launches, List<Integer> steps, List<Long> numbers) {
    this(code, launches, steps, numbers, Optional.empty());
  }

  /// What a launch's kernel is called: that of a whole program by the step that it computes.
  public String kernel(int launch) {
    return network
        .map(whole -> whole.steps().get(launch))
        .orElseGet(() -> launches.get(launch).kernel());
  }

  /// The launch that takes a batch row by row in place of all others, if there is one.
  public Optional<RowLaunch> rows() {
    return network.flatMap(Network::rows);
  }

  /// The kernel of the launch that takes a batch row by row, empty if there is none.
  public String rowsKernel() {
    return rows().map(RowLaunch::kernel).orElse("");
  }

  /// Places in [#launches] by step number.
  public Map<Integer, List<Integer>> launchesByStep() {
    return IntStream.range(0, steps.size()).boxed().collect(Collectors.groupingBy(steps::get));
  }
}
