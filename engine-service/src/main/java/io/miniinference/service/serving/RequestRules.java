package io.miniinference.service.serving;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.ShapeCheck;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What a model demands of the names and types of a request; shapes are its signature's matter. The
/// messages begin as Triton's do, since clients look for them. For one request.
public final class RequestRules {
  private final ServedModel served;
  private final Set<String> seen = new HashSet<>();
  private final ShapeCheck shapes;

  public RequestRules(ServedModel served) {
    this.served = served;
    shapes = served.model().signature().check();
  }

  /// The type of an input's elements, once its header is known to fit.
  public ElementType checkInput(String name, String datatype, long[] shape) {
    int input = position(name);
    ElementType element = inputs().get(input).element();
    if (!seen.add(name)) {
      throw invalid("input '%s' already exists in request".formatted(name));
    }
    if (!element.v2Name().equals(datatype)) {
      throw invalid(
          "inference input '%s' data-type is '%s', but model '%s' expects '%s'"
              .formatted(name, datatype, served.name(), element.v2Name()));
    }
    shapes.input(input, shape);
    return element;
  }

  /// The inputs in the model's order, none missing.
  public List<InputTensor> complete(Map<String, InputTensor> found) {
    return complete(found, "");
  }

  /// As above.
  ///
  /// @param why one may be missing, to end the message with
  public List<InputTensor> complete(Map<String, InputTensor> found, String why) {
    List<InputTensor> ordered = new ArrayList<>(inputs().size());
    for (TensorSpec input : inputs()) {
      InputTensor tensor = found.get(input.name());
      if (tensor == null) {
        throw missing(found, why);
      }
      ordered.add(tensor);
    }
    return ordered;
  }

  private InvalidRequestException missing(Map<String, InputTensor> found, String why) {
    List<String> missing =
        names(inputs()).stream().filter(name -> !found.containsKey(name)).toList();
    return invalid(
        "expected %s but got %s for model '%s'. Missing required input(s) %s%s"
            .formatted(
                count(inputs().size()), count(found.size()), served.name(), quoted(missing), why));
  }

  private static String count(int inputs) {
    return inputs == 1 ? "1 input" : inputs + " inputs";
  }

  /// The outputs asked for; all if none are named.
  public List<WantedOutput> outputs(List<RequestedOutput> requested) {
    if (requested.isEmpty()) {
      return all(served.model().outputs().size());
    }
    List<String> all = names(served.model().outputs());
    Map<Integer, WantedOutput> wanted = new LinkedHashMap<>();
    for (RequestedOutput output : requested) {
      WantedOutput next = wanted(output, all);
      if (wanted.putIfAbsent(next.position(), next) != null) {
        throw invalid("output '%s' already requested".formatted(output.name()));
      }
    }
    return List.copyOf(wanted.values());
  }

  private static List<WantedOutput> all(int count) {
    List<WantedOutput> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(new WantedOutput(i, 0));
    }
    return all;
  }

  private WantedOutput wanted(RequestedOutput output, List<String> all) {
    int position = all.indexOf(output.name());
    if (position < 0) {
      throw invalid(
          "unexpected inference output '%s' for model '%s'; its outputs are %s"
              .formatted(output.name(), served.name(), quoted(all)));
    }
    Long classes = output.parameters().count("classification");
    return new WantedOutput(
        position, classes == null ? 0 : (int) Math.min(classes, Integer.MAX_VALUE));
  }

  /// The model's inputs.
  public List<TensorSpec> inputs() {
    return served.model().inputs();
  }

  /// The input of a name.
  ///
  /// @throws InvalidRequestException if there is none
  public TensorSpec input(String name) {
    return inputs().get(position(name));
  }

  private int position(String name) {
    for (int i = 0; i < inputs().size(); i++) {
      if (inputs().get(i).name().equals(name)) {
        return i;
      }
    }
    throw invalid(
        "unexpected inference input '%s' for model '%s'; its inputs are %s"
            .formatted(name, served.name(), quoted(names(inputs()))));
  }

  private static List<String> names(List<TensorSpec> specs) {
    return specs.stream().map(TensorSpec::name).toList();
  }

  private static String quoted(List<String> names) {
    return names.stream().collect(Collectors.joining("', '", "'", "'"));
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(message);
  }
}
