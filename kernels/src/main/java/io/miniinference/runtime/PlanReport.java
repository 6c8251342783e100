package io.miniinference.runtime;

/// A memory plan's certificate in the forms in which it is shown.
///
/// @param text for a terminal
/// @param json one line, the fields of `./mie plan --json`
/// @param svg time × address
public record PlanReport(String text, String json, String svg) {}
