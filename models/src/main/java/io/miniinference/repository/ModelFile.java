package io.miniinference.repository;

import java.nio.file.Path;

/// A model's file in a repository.
///
/// @param version a number
public record ModelFile(String name, String version, Path path) {}
