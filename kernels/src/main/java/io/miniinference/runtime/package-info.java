/// The engine as its users see it: one device, one pool, and models that serve requests ([Engine],
/// [Model]). `runtime.open` opens an engine, `runtime.load` and `runtime.compile` bring a model
/// into it, `runtime.specialise` compiles one per shape, and `runtime.serve` runs its requests.
@NullMarked
package io.miniinference.runtime;

import org.jspecify.annotations.NullMarked;
