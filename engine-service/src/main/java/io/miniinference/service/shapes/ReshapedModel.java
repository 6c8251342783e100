package io.miniinference.service.shapes;

import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.ForwardingModel;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LaunchTime;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A model some of whose inputs and outputs clients see in another shape. The elements are the
/// same, in the same order.
public final class ReshapedModel extends ForwardingModel {
  private final List<@Nullable Reshape> inputs;
  private final List<@Nullable Reshape> outputs;
  private final Signature signature;

  /// @param inputs by name
  /// @param outputs by name
  ReshapedModel(Model model, Map<String, Reshape> inputs, Map<String, Reshape> outputs) {
    super(model);
    this.inputs = ofAll(model.inputs(), inputs);
    this.outputs = ofAll(model.outputs(), outputs);
    Signature own = model.signature();
    signature =
        own.with(toClient(own.inputs(), this.inputs), toClient(own.outputs(), this.outputs));
  }

  /// The signature of a model with its own shapes, whatever clients see.
  public static Signature ownOf(Model model) {
    return model instanceof ReshapedModel reshaped ? reshaped.model.signature() : model.signature();
  }

  private static List<@Nullable Reshape> ofAll(List<TensorSpec> all, Map<String, Reshape> named) {
    List<@Nullable Reshape> reshapes = new ArrayList<>();
    all.forEach(spec -> reshapes.add(named.get(spec.name())));
    return reshapes;
  }

  private static List<TensorSpec> toClient(
      List<TensorSpec> specs, List<@Nullable Reshape> reshapes) {
    List<TensorSpec> seen = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      Reshape reshape = reshapes.get(i);
      seen.add(reshape == null ? specs.get(i) : reshape.toClient(specs.get(i)));
    }
    return seen;
  }

  @Override
  public Signature signature() {
    return signature;
  }

  /// Requests stay in the shapes that clients see, and are padded, if the model pads, as they run.
  @Override
  public <T> RequestBatch.Member<T> asRun(RequestBatch.Member<T> member) {
    return member;
  }

  @Override
  public boolean isPlanned(List<long[]> shapes) {
    return model.isPlanned(toModel(shapes));
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    return model.infer(toModel(request), new ClientReader<>(reader));
  }

  @Override
  public List<LaunchTime> profile(InferenceRequest request) {
    return model.profile(toModel(request));
  }

  private InferenceRequest toModel(InferenceRequest request) {
    signature.check(request.shapes());
    return request.withShapes(toModel(request.shapes()), request.writer());
  }

  private List<long[]> toModel(List<long[]> seen) {
    List<long[]> shapes = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Reshape reshape = inputs.get(i);
      shapes.add(reshape == null ? seen.get(i) : reshape.toModel(seen.get(i)));
    }
    return shapes;
  }

  /// Takes outputs in the shapes that clients see.
  private final class ClientReader<T> implements ResponseReader<T> {
    private final ResponseReader<T> reader;

    ClientReader(ResponseReader<T> reader) {
      this.reader = reader;
    }

    @Override
    public T read(List<Output> own) {
      return reader.read(toClient(own));
    }

    @Override
    public void failed(List<Output> own, List<FailureReport> failures) {
      reader.failed(toClient(own), failures);
    }

    private List<Output> toClient(List<Output> own) {
      List<Output> seen = new ArrayList<>();
      for (int i = 0; i < own.size(); i++) {
        Reshape reshape = outputs.get(i);
        Output output = own.get(i);
        seen.add(
            reshape == null ? output : new Output(reshape.toClient(output.shape()), output.data()));
      }
      return seen;
    }
  }
}
