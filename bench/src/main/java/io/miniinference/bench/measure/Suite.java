package io.miniinference.bench.measure;

import module java.base;

import io.miniinference.repository.UsableFolder;

/// A group of benchmarks that belong together, run by name.
///
/// @param name as on the command line
/// @param description one line on what it measures
/// @param work measures, or throws [io.miniinference.bench.measure.BenchException] if what was to
///   be timed is wrong or cannot run
public record Suite(String name, String description, Consumer<Findings> work) {

  /// Runs it.
  ///
  /// @param progress takes lines that tell how far it is
  /// @return what it found; empty, with a word to `progress`, where there is nothing to measure
  public Optional<SuiteResult> run(Setting setting, Consumer<String> progress) {
    try {
      Path folder = Files.createTempDirectory("mie-bench");
      try {
        var findings = new Findings(setting, folder, progress);
        work.accept(findings);
        return findings.result(name, description);
      } finally {
        UsableFolder.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
