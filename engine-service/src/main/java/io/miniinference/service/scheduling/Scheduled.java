package io.miniinference.service.scheduling;

/// What a request's reader made of its outputs, and when.
public record Scheduled<T>(T value, RequestTimes times) {}
