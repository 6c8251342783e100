/// Models as those of Spring AI, for applications that have it
/// (`org.springframework.ai:spring-ai-model`).
@NullMarked
package io.miniinference.spring.ai;

import org.jspecify.annotations.NullMarked;
