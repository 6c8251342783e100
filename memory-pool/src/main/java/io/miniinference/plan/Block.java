package io.miniinference.plan;

import io.miniinference.layout.Affine;

/// A memory block: bytes that one or more arrays live in.
///
/// @param id unique in its program, from 0 upwards over both spaces
/// @param name the value it was made for
/// @param sizeBytes physical bytes, padding lanes included, at every batch size
/// @param space whether the planner places it or it is fixed at load
public record Block(int id, String name, Affine sizeBytes, Space space) {
  /// Blocks below this many bytes share one slab.
  public static final long SMALL_BYTES = 256;

  /// Where a block lives.
  public enum Space {
    /// In the arena of one request, placed by the planner.
    ARENA,
    /// A part of another block of the arena that is another one in each iteration of a loop
    /// ([LoopBuffers]): what is in it is gone with the iteration.
    MOVING,
    /// With the model's weights, from load to unload; read only.
    WEIGHTS
  }

  /// Whether it is memory of the request, whose contents the planner follows.
  public boolean isPlanned() {
    return space != Space.WEIGHTS;
  }

  public boolean isMoving() {
    return space == Space.MOVING;
  }
}
