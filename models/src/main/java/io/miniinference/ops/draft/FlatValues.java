package io.miniinference.ops.draft;

import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Values of a body with the tensors of its lists in their place, since only tensors leave it.
public final class FlatValues {
  private final Draft body;
  private final List<Value> values;

  /// @param body the draft that the values are of
  public FlatValues(Draft body, List<Value> values) {
    this.body = body;
    this.values = List.copyOf(values);
  }

  public boolean hasStructures() {
    return values.stream().anyMatch(value -> body.structure(value).isPresent());
  }

  /// The tensors in order.
  public List<Value> tensors() {
    List<Value> tensors = new ArrayList<>();
    for (Value value : values) {
      switch (body.structure(value).orElse(null)) {
        case null -> tensors.add(value);
        case Structure.Sequence sequence -> tensors.addAll(sequence.elements());
        case Structure.Nothing _ -> {}
      }
    }
    return tensors;
  }

  /// Whether there is a list or optional wherever there is one here, and lists have as many
  /// tensors.
  public boolean isLike(FlatValues other) {
    return forms().equals(other.forms());
  }

  /* Lengths of lists; −1 for an optional without a value and −2 for a tensor. */
  private List<Integer> forms() {
    List<Integer> forms = new ArrayList<>();
    for (Value value : values) {
      forms.add(
          switch (body.structure(value).orElse(null)) {
            case null -> -2;
            case Structure.Sequence sequence -> sequence.elements().size();
            case Structure.Nothing _ -> -1;
          });
    }
    return forms;
  }

  /// The values as they are around the body.
  ///
  /// @param around emits into the graph around it
  /// @param outside what each of [#tensors] is there
  public List<Value> outside(Emitter around, UnaryOperator<Value> outside) {
    List<Value> results = new ArrayList<>();
    for (Value value : values) {
      results.add(
          switch (body.structure(value).orElse(null)) {
            case null -> outside.apply(value);
            case Structure.Sequence sequence ->
                around.list(sequence.elements().stream().map(outside).toList());
            case Structure.Nothing nothing -> around.structure(nothing);
          });
    }
    return results;
  }

  /// As above, where the tensors are others in the same order.
  public List<Value> outside(Emitter around, List<Value> tensors) {
    var rest = tensors.iterator();
    return outside(around, _ -> rest.next());
  }
}
