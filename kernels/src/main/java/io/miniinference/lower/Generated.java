package io.miniinference.lower;

import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import java.util.List;

/// What a code generator made of a lowered program.
///
/// @param code the program
/// @param launches in order; entries of [Launch#offsets] are block ids, and
///   [LoweredProgram#failureSlotsId] for the failure slots
public record Generated(ProgramCode code, List<Launch> launches) {
  public Generated {
    launches = List.copyOf(launches);
  }
}
