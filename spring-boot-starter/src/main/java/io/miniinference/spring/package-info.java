/// Auto-configuration for Spring Boot: the engine and the models of `engine.*` as beans, their
/// health, meters and plans.
@NullMarked
package io.miniinference.spring;

import org.jspecify.annotations.NullMarked;
