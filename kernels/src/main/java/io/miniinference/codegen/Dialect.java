package io.miniinference.codegen;

import java.util.List;

/// A language that kernels are written in: how it spells the [Word]s of kernel text, the head of a
/// kernel, and what stands in front of a program. Writers of kernels know none of it.
public interface Dialect {

  /// The text of a word.
  ///
  /// @param arguments as many as [Word#arguments] says, spelled already
  String spell(Word word, List<String> arguments);

  /// A kernel function up to its opening brace. It takes `pool`, `n` and `first`, and offsets `o0`,
  /// `o1`, … ([io.miniinference.device.ProgramCode]).
  ///
  /// @param group work items of a work-group, all in dimension 0
  /// @param offsets number of byte offsets
  String kernel(String name, int group, int offsets);

  /// What a program needs ahead of its functions.
  ///
  /// @param code the text of all its own functions, spelled
  /// @param shared that of functions which they call, and which other programs have, too
  String preamble(String code, String shared);

  /// Options with which programs are built.
  String options();
}
