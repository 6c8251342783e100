/// Loading and unloading models over the protocols.
@NullMarked
package io.miniinference.service.repository;

import org.jspecify.annotations.NullMarked;
