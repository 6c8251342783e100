package io.miniinference.service.grpc;

import com.google.protobuf.ByteString;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.elements.WireStrings;
import io.miniinference.service.grpc.wire.OpenInference.InferParameter;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferRequestedOutputTensor;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.BooleanBytes;
import io.miniinference.service.serving.InferRequest;
import io.miniinference.service.serving.InputTensor;
import io.miniinference.service.serving.Parameters;
import io.miniinference.service.serving.RequestRules;
import io.miniinference.service.serving.RequestedOutput;
import io.miniinference.service.serving.TensorContent;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads an inference request from its message. Raw contents stay where they are until staging
/// takes them.
final class InferRequestMessage {
  private final ModelInferRequest message;
  private final RequestRules rules;

  InferRequestMessage(ModelInferRequest message, RequestRules rules) {
    this.message = message;
    this.rules = rules;
  }

  /// @param base what the call says of scheduling
  InferRequest read(Terms base) {
    checkParameters();
    checkContents();
    Map<String, InputTensor> inputs = new LinkedHashMap<>();
    for (int i = 0; i < message.getInputsCount(); i++) {
      InputTensor input = input(i);
      inputs.put(input.name(), input);
    }
    List<RequestedOutput> outputs =
        message.getOutputsList().stream().map(InferRequestMessage::output).toList();
    Parameters parameters = parameters("the request", message.getParametersMap());
    return new InferRequest(
        message.getId().isEmpty() ? null : message.getId(),
        rules.complete(inputs),
        rules.outputs(outputs),
        parameters.terms(base));
  }

  /* Before contents are counted: one that is in shared memory has none. */
  private void checkParameters() {
    message
        .getInputsList()
        .forEach(input -> parameters("input '" + input.getName() + "'", input.getParametersMap()));
  }

  private void checkContents() {
    int raw = message.getRawInputContentsCount();
    if (raw > 0 && raw != message.getInputsCount()) {
      throw new InvalidRequestException(
          "the request has %d inputs and %d raw_input_contents, which must be as many"
              .formatted(message.getInputsCount(), raw));
    }
    if (raw > 0 && message.getInputsList().stream().anyMatch(InferInputTensor::hasContents)) {
      throw new InvalidRequestException(
          "the request has both contents and raw_input_contents; send one of them");
    }
  }

  private InputTensor input(int position) {
    InferInputTensor input = message.getInputs(position);
    long[] shape = input.getShapeList().stream().mapToLong(Long::longValue).toArray();
    for (long dim : shape) {
      requireSize(input.getName(), dim);
    }
    TensorSpec spec = rules.checkInput(input.getName(), input.getDatatype(), shape);
    return new InputTensor(
        input.getName(), shape, content(position, input, spec, elements(input, shape)));
  }

  private static void requireSize(String input, long dim) {
    if (dim < 0) {
      throw new InvalidRequestException(
          "shape of input '%s' has %d, which is no size of a dimension".formatted(input, dim));
    }
  }

  private static long elements(InferInputTensor input, long[] shape) {
    try {
      return Tensor.elements(shape);
    } catch (ArithmeticException e) {
      throw new InvalidRequestException(
          "shape %s of input '%s' is too large to count"
              .formatted(input.getShapeList(), input.getName()));
    }
  }

  private TensorContent content(
      int position, InferInputTensor input, TensorSpec spec, long elements) {
    if (message.getRawInputContentsCount() == 0) {
      return TypedContents.of(input, spec, elements, rules::strings);
    }
    ByteString raw = message.getRawInputContents(position);
    if (spec.isOfStrings()) {
      MemorySegment data = MemorySegment.ofBuffer(raw.asReadOnlyByteBuffer());
      return TensorContent.of(WireStrings.codes(input.getName(), data, elements, rules.strings()));
    }
    ElementType element = spec.element();
    if (elements > Integer.MAX_VALUE || raw.size() != elements * element.bytes()) {
      throw new InvalidRequestException(
          "input '%s' has %d bytes of raw contents, but its shape %s takes %s of %d bytes"
              .formatted(
                  input.getName(), raw.size(), input.getShapeList(), elements, element.bytes()));
    }
    MemorySegment data = MemorySegment.ofBuffer(raw.asReadOnlyByteBuffer());
    return TensorContent.of(BooleanBytes.checked(input.getName(), element, data));
  }

  private static RequestedOutput output(InferRequestedOutputTensor output) {
    return new RequestedOutput(
        output.getName(), parameters("an output", output.getParametersMap()));
  }

  private static Parameters parameters(String owner, Map<String, InferParameter> values) {
    var parameters = new Parameters(owner);
    values.forEach((name, value) -> parameters.put(name, value(owner, name, value)));
    return parameters;
  }

  private static Object value(String owner, String name, InferParameter value) {
    return switch (value.getParameterChoiceCase()) {
      case BOOL_PARAM -> value.getBoolParam();
      case INT64_PARAM -> value.getInt64Param();
      case STRING_PARAM -> value.getStringParam();
      case DOUBLE_PARAM -> value.getDoubleParam();
      case UINT64_PARAM ->
          value.getUint64Param() < 0 ? (Object) Long.MAX_VALUE : value.getUint64Param();
      case PARAMETERCHOICE_NOT_SET ->
          throw new InvalidRequestException(
              "parameter '%s' of %s has no value".formatted(name, owner));
    };
  }
}
