/// The stage that loads models and executes requests: one engine with one device and one pool,
/// models with planned arenas, instances that serve one request each.
@NullMarked
package io.miniinference.runtime;

import org.jspecify.annotations.NullMarked;
