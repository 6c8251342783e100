package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;

/// A model that is ready to serve, under its name and version.
public record ServedModel(String name, String version, Model model) {}
