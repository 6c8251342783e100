package io.miniinference.runtime.load;

import java.util.Optional;

/// Makes room in the pool for the weights of one more shape.
@FunctionalInterface
public interface Eviction {

  /// Gives back a shape that no request uses, or waits until the place of the room is left.
  ///
  /// @param fitting the room, if the weights would find place in it; another shape may be there
  /// @return whether there may be room now
  boolean evict(Optional<PromisedRoom> fitting);
}
