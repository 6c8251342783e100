package io.miniinference.runtime;

/// How long one launch of a request took, from before it was queued until the device was done.
///
/// @param launch its place among the program's launches
/// @param step number of the step that it computes
/// @param kernel its name in the program's text
/// @param nanos of all times that the request made it
public record LaunchTime(int launch, int step, String kernel, long nanos) {}
