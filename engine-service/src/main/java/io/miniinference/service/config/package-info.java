/// The service's configuration properties, checked at start.
@NullMarked
package io.miniinference.service.config;

import org.jspecify.annotations.NullMarked;
