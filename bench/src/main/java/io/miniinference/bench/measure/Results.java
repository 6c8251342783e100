package io.miniinference.bench.measure;

import module java.base;
import module tools.jackson.databind;

/// All that a run of `./mie bench` found, and of what, when and where.
///
/// @param arguments of the command
public record Results(
    Build build, Instant date, List<String> arguments, Host host, List<SuiteResult> suites) {

  /// The same and what one more suite found.
  public Results with(SuiteResult suite) {
    List<SuiteResult> more = Stream.concat(suites.stream(), Stream.of(suite)).toList();
    return new Results(build, date, arguments, host, more);
  }

  /// What was measured, when and where: one line each.
  public String heading() {
    return "commit %s, %s\n%s\n".formatted(build.text(), date, host.text());
  }

  /// Whether slices were tiny, so that the figures mean little.
  @JsonIgnore
  public boolean isQuick() {
    return arguments.contains("--quick");
  }

  /// Indented, with a line break at the end.
  public String json() {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
  }

  /// Reads what [#json] wrote.
  ///
  /// @throws tools.jackson.core.JacksonException if it did not
  public static Results parse(String json) {
    return JsonMapper.shared().readValue(json, Results.class);
  }
}
