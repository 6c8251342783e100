/// Folders of models, and the one with those that come with the engine.
@NullMarked
package io.miniinference.repository;

import org.jspecify.annotations.NullMarked;
