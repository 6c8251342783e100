package io.miniinference.repository;

/// What is set for a model's folder as a whole, by a file that lies in it.
///
/// @param file the name of the model's file in each of its versions; empty for the usual ones
/// @param leftOut why nothing in the folder is served, in words that follow its name; empty if that
///   depends on what lies there
public record FolderRules(String file, String leftOut) {

  /// Nothing is set.
  public static FolderRules none() {
    return named("");
  }

  /// Those of a model whose file has a name of its own.
  public static FolderRules named(String file) {
    return new FolderRules(file, "");
  }
}
