/// The models that are served: where they are found, how they are loaded, and which are ready.
@NullMarked
package io.miniinference.service.catalog;

import org.jspecify.annotations.NullMarked;
