/// JSON as requests carry it: read and written where it lies, without objects for its values.
@NullMarked
package io.miniinference.service.json;

import org.jspecify.annotations.NullMarked;
