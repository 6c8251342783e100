package io.miniinference.lower;

/// How a kernel computes a step, for people who ask where time goes.
///
/// @param name in a few words, with the size of its tile
/// @param isPlain whether it goes element by element, one scalar after the other, so that a step of
///   many operations takes far longer than the device needs
/// @param why what keeps a faster algorithm from the step, empty where none is known
public record Algorithm(String name, boolean isPlain, String why) {

  /// One that uses what the device has.
  public static Algorithm of(String name) {
    return new Algorithm(name, false, "");
  }

  /// A loop over scalars.
  public static Algorithm plain(String why) {
    return new Algorithm("plain loop", true, why);
  }
}
