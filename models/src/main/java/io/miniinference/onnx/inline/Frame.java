package io.miniinference.onnx.inline;

import io.miniinference.onnx.OnnxFunction;
import io.miniinference.onnx.wire.AttributeProto;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where a piece of a model is being expanded: what its names and references mean there.
///
/// @param prefix goes in front of all names that are defined here; "" in the model's own graph,
///   whose names stay
/// @param scope what value names mean
/// @param function the function whose body this is, or null in the model's own graph
/// @param arguments the attributes that the call gave
/// @param opsets operator set versions by domain
/// @param depth calls and bodies around this
record Frame(
    String prefix,
    Scope scope,
    @Nullable OnnxFunction function,
    Map<String, Argument> arguments,
    Map<String, Long> opsets,
    int depth) {

  /// An attribute's value, and the frame in which names inside it are to be understood.
  record Argument(AttributeProto attribute, Frame frame) {}

  /// What the names of values mean: new names, or themselves in the model's own graph.
  record Scope(@Nullable Scope outer, Map<String, String> names) {
    /// The value's new name; null if no function or body around defines it.
    @Nullable String find(String name) {
      String found = names.get(name);
      return found != null || outer == null ? found : outer.find(name);
    }
  }

  boolean renames() {
    return !prefix.isEmpty();
  }

  /// The frame of a body at this place.
  Frame body(Map<String, String> names) {
    return new Frame(prefix, new Scope(scope, names), function, arguments, opsets, depth + 1);
  }

  /// This frame as seen from a place in a function that refers to an attribute of it.
  Frame at(Frame place) {
    return new Frame(
        place.prefix, scope, function, arguments, opsets, Math.max(depth, place.depth));
  }

  /// What a reference to one of the function's attributes stands for; null if the call leaves it
  /// out and it has no default.
  @Nullable Argument argument(String name) {
    Argument given = arguments.get(name);
    if (given != null || function == null) {
      return given;
    }
    AttributeProto otherwise = function.defaults().get(name);
    return otherwise == null ? null : new Argument(otherwise, this);
  }

  /// Where problems of this frame are.
  String where(String inner) {
    return function == null ? inner : "function " + function.key() + ", " + inner;
  }
}
