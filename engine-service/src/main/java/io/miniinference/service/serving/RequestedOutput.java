package io.miniinference.service.serving;

/// An output as a request names it.
public record RequestedOutput(String name, Parameters parameters) {}
