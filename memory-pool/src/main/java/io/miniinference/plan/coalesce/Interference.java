package io.miniinference.plan.coalesce;

import io.miniinference.plan.live.Definition;

/// Two contents that cannot be at the places they would get: one is written where the other is
/// still needed.
///
/// @param earlier the one that is there first
/// @param later the one that is written over it
/// @param use what would then read the wrong one
record Interference(Definition earlier, Definition later, Definition.Use use) {}
