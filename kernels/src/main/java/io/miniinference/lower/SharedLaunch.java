package io.miniinference.lower;

import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import java.util.List;

/// One launch that takes a batch through a whole program step by step: each of its work items is a
/// worker, and all of them share each step. It costs less than a launch for each step, which
/// workers have to be handed one by one.
///
/// @param kernel its name in the program
/// @param arguments entries of a binding: which tells the kernel to share all steps, and where its
///   table is
/// @param counters the entry that tells where its counters are, which must be 0 when it begins
/// @param workers the entry that tells how many workers there may be
/// @param counterBytes of each worker, and once more for all
public record SharedLaunch(
    String kernel, List<Integer> arguments, int counters, int workers, long counterBytes) {
  public SharedLaunch {
    arguments = List.copyOf(arguments);
  }

  /// The launch for so many workers.
  public Launch by(int workers) {
    return new Launch(kernel, arguments, new Launch.Items(Affine.of(workers), 1));
  }

  /// Bytes of all counters.
  public long counterBytes(int workers) {
    return counterBytes * (workers + 1);
  }
}
