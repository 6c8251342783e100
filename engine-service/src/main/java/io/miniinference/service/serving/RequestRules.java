package io.miniinference.service.serving;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.ShapeCheck;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a model demands of the names and types of a request; shapes are its signature's matter. The
/// messages begin as Triton's do, since clients look for them. For one request.
public final class RequestRules {
  private final ServedModel served;
  private final Set<String> seen = new HashSet<>();
  private final ShapeCheck shapes;
  private final ByteBudget.Share share;
  private @Nullable StringTable strings;

  /// @param share takes what the request's strings take
  public RequestRules(ServedModel served, ByteBudget.Share share) {
    this.served = served;
    this.share = share;
    shapes = served.model().signature().check();
  }

  /// The strings of the request, of which the model's dictionary is a part.
  public StringTable strings() {
    StringTable own = strings;
    if (own == null) {
      own = new StringTable(served.model().signature().dictionary(), share::takeForStrings);
      strings = own;
    }
    return own;
  }

  /// The input of a name, once its header is known to fit.
  public TensorSpec checkInput(String name, String datatype, long[] shape) {
    int input = position(name);
    TensorSpec spec = inputs().get(input);
    if (!seen.add(name)) {
      throw invalid("input '%s' already exists in request".formatted(name));
    }
    if (!spec.v2Name().equals(datatype)) {
      throw invalid(
          "inference input '%s' data-type is '%s', but model '%s' expects '%s'"
              .formatted(name, datatype, served.name(), spec.v2Name()));
    }
    shapes.input(input, shape);
    return spec;
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

  /// The outputs asked for; all that clients see if none are named.
  public List<WantedOutput> outputs(List<RequestedOutput> requested) {
    if (requested.isEmpty()) {
      return served.tensors().outputs().stream().map(it -> new WantedOutput(it, 0)).toList();
    }
    List<String> all = names(served.outputs());
    Map<Integer, WantedOutput> wanted = new LinkedHashMap<>();
    for (RequestedOutput output : requested) {
      WantedOutput next = wanted(output, all);
      if (wanted.putIfAbsent(next.position(), next) != null) {
        throw invalid("output '%s' already requested".formatted(output.name()));
      }
    }
    return List.copyOf(wanted.values());
  }

  private WantedOutput wanted(RequestedOutput output, List<String> all) {
    int seen = all.indexOf(output.name());
    if (seen < 0) {
      throw invalid(
          "unexpected inference output '%s' for model '%s'; its outputs are %s"
              .formatted(output.name(), served.name(), quoted(all)));
    }
    int position = served.tensors().outputs().get(seen);
    Long classes = output.parameters().count("classification");
    if (classes != null && classes > 0 && served.model().outputs().get(position).isOfStrings()) {
      throw invalid(
          "output '%s' of model '%s' is of strings, which have no classification"
              .formatted(output.name(), served.name()));
    }
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
