package io.miniinference.repository;

import java.nio.file.Path;

/// What lies in a repository and is not served.
///
/// @param model which it would be
/// @param version empty for a model as a whole
/// @param why in words that follow its name
public record LeftOut(Path path, String model, String version, String why) {}
