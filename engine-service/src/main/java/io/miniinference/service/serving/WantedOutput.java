package io.miniinference.service.serving;

/// An output that a request asks for.
///
/// @param position among the model's outputs
/// @param classes 0 for the tensor itself, else how many of its largest values are to be named
public record WantedOutput(int position, int classes) {
  public boolean isClassified() {
    return classes > 0;
  }
}
