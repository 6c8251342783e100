/// The order of passes that every model goes through.
@org.jspecify.annotations.NullMarked
package io.miniinference.pass.pipeline;
