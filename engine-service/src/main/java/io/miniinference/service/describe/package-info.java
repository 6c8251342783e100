/// What the server and its models say of themselves, for all protocols: metadata, configuration,
/// statistics, the index of models.
@NullMarked
package io.miniinference.service.describe;

import org.jspecify.annotations.NullMarked;
