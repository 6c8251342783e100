/// What lies beside a model and says how it is served: `model.yaml`, Triton's `config.pbtxt`,
/// labels.
@NullMarked
package io.miniinference.service.settings;

import org.jspecify.annotations.NullMarked;
