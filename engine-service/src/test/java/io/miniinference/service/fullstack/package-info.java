/// The whole service over real HTTP: bundled models on a real device, from start to answer.
@NullMarked
package io.miniinference.service.fullstack;

import org.jspecify.annotations.NullMarked;
