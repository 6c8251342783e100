package io.miniinference.signature;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Graph;
import io.miniinference.strings.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which inputs and outputs of a graph are codes of what the file declares.
///
/// @param types by name; of those that are numbers there is none
/// @param dictionary the codes of the file's strings
public record Codes(Map<String, CodedType> types, Dictionary dictionary) {
  public Codes {
    types = Map.copyOf(types);
  }

  /// Of a graph whose inputs and outputs are what the file declares.
  public static Codes none() {
    return new Codes(Map.of(), Dictionary.EMPTY);
  }

  /// The type whose codes an input or output holds.
  public Optional<CodedType> of(String name) {
    return Optional.ofNullable(types.get(name));
  }

  /// A graph's inputs as the file declares them.
  public List<TensorSpec> inputs(Graph graph) {
    return graph.inputs().stream().map(TensorSpec::of).map(this::declared).toList();
  }

  /// An input or output of the graph as the file declares it.
  public TensorSpec declared(TensorSpec spec) {
    return of(spec.name()).map(spec::codedAs).orElse(spec);
  }
}
