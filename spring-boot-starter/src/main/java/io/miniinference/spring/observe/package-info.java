/// What an operator sees of an engine and its models: health, meters and endpoints, over an
/// [EngineView].
@NullMarked
package io.miniinference.spring.observe;

import org.jspecify.annotations.NullMarked;
