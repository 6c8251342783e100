package io.miniinference.runtime.strings;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.ForwardingModel;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LaunchTime;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A model some of whose nodes the host computes before the rest runs. Its requests run one by one,
/// since each brings what follows from its strings.
public final class PrefixedModel extends ForwardingModel {
  private final HostSteps steps;
  private final Signature signature;

  PrefixedModel(Model rest, HostSteps steps) {
    super(rest);
    this.steps = steps;
    List<TensorSpec> all = rest.inputs();
    signature =
        rest.signature().with(all.subList(0, all.size() - steps.further().size()), rest.outputs());
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public boolean isBatchable() {
    return false;
  }

  @Override
  public int rowsTogether(RequestShape shape) {
    return 0;
  }

  /// Requests stay as they come, and are padded, if the rest pads, as they run.
  @Override
  public <T> RequestBatch.Member<T> asRun(RequestBatch.Member<T> member) {
    return member;
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    InferenceRequest whole = withFurther(request);
    try {
      return model.infer(whole, reader);
    } catch (InvalidRequestException e) {
      throw new InvalidRequestException(steps.told(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public List<LaunchTime> profile(InferenceRequest request) {
    return model.profile(withFurther(request));
  }

  private InferenceRequest withFurther(InferenceRequest request) {
    signature.check(request.shapes());
    StringTable table = table(request);
    HostBudget budget = new HostBudget(request.deadlineNanos());
    List<Tensor> further =
        List.copyOf(steps.computed(read(request, table), table, budget).values());
    List<long[]> shapes = new ArrayList<>(request.shapes());
    further.forEach(tensor -> shapes.add(tensor.shape()));
    int first = request.shapes().size();
    return request.withShapes(
        shapes,
        (input, staging) -> {
          if (input < first) {
            request.writer().write(input, staging);
          } else {
            staging.copyFrom(further.get(input - first).data());
          }
        });
  }

  /* Codes that come in or go out are those of the caller's table; a model without has its own. */
  private StringTable table(InferenceRequest request) {
    StringTable own = request.strings();
    if (own != null) {
      return own;
    }
    if (signature.hasStrings()) {
      throw new IllegalArgumentException(
          "model '%s' makes strings, and the request brings no table for them".formatted(name()));
    }
    return signature.strings();
  }

  private Map<String, Tensor> read(InferenceRequest request, StringTable table) {
    Map<String, Tensor> inputs = new HashMap<>();
    for (int i = 0; i < signature.inputs().size(); i++) {
      TensorSpec input = signature.inputs().get(i);
      if (steps.read().contains(input.name())) {
        long[] shape = request.shapes().get(i);
        int[] codes = new int[HostBudget.input(shape, table)];
        request.writer().write(i, MemorySegment.ofArray(codes));
        inputs.put(input.name(), new Tensor(input.element(), shape, MemorySegment.ofArray(codes)));
      }
    }
    return inputs;
  }
}
