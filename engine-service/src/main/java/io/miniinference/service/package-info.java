@NullMarked
package io.miniinference.service;

import org.jspecify.annotations.NullMarked;
