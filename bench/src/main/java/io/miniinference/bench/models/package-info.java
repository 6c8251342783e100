/// Whole models on the engine, without HTTP, beside its peers.
@NullMarked
package io.miniinference.bench.models;

import org.jspecify.annotations.NullMarked;
