package io.miniinference.plan.packing;

/// What the exact search concludes without trying. Each keeps every packing that the search needs
/// to find: tests switch them off one by one and compare.
enum PruningRule {
  /// The open rectangles of a section stand one upon the other: taken by lowest offset, their stack
  /// must end within the capacity.
  STACK_BOUND,

  /// Rectangles of a section that cannot all lie above a further one have at least one among them
  /// that lies below it, so that it starts no lower than the lowest of their tops. (What scheduling
  /// calls not-first, for a machine whose time is the address.)
  NOT_LOWEST,

  /// A failure undoes the deepest decision that it follows from. Decisions made since then, in
  /// other places, would not have helped.
  BACKJUMP
}
