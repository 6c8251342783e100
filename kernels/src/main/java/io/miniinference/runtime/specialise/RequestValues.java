package io.miniinference.runtime.specialise;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A request whose small inputs are read before it runs, since sizes may follow from them.
final class RequestValues {
  /// Most elements of an input that may decide over a size: shapes, counts and conditions have few.
  private static final long MOST_ELEMENTS = 4096;

  /// Most of its elements that a message shows.
  private static final long MOST_SHOWN = 16;

  private final InferenceRequest request;
  private final RequestShape shape;
  private final List<TensorSpec> inputs;
  private final Map<Integer, Tensor> small = new TreeMap<>();

  /// @throws io.miniinference.runtime.InvalidRequestException if the request's shapes do not fit
  ///   the signature
  RequestValues(Signature signature, InferenceRequest request) {
    shape = signature.check(request.shapes());
    inputs = signature.inputs();
    this.request = request;
    for (int i = 0; i < inputs.size(); i++) {
      if (isSmall(request.shapes().get(i))) {
        small.put(i, read(i));
      }
    }
  }

  private static boolean isSmall(long[] shape) {
    long elements = 1;
    for (long extent : shape) {
      if (extent < 0 || extent > MOST_ELEMENTS) {
        return false;
      }
      elements *= extent;
      if (elements > MOST_ELEMENTS) {
        return false;
      }
    }
    return true;
  }

  private Tensor read(int input) {
    Tensor tensor = AlignedMemory.tensor(inputs.get(input).element(), request.shapes().get(input));
    request.writer().write(input, tensor.data());
    return tensor;
  }

  private RequestValues(Signature signature, List<long[]> shapes) {
    shape = signature.check(shapes);
    inputs = signature.inputs();
    request = new InferenceRequest(shapes, (_, _) -> {});
  }

  /// A request of which nothing but its shapes is known.
  static RequestValues unknown(Signature signature, List<long[]> shapes) {
    return new RequestValues(signature, shapes);
  }

  /// The request, each of whose inputs is still written once.
  InferenceRequest request() {
    return request.withWriter((input, staging) -> {
      Tensor known = small.get(input);
      if (known == null) {
        request.writer().write(input, staging);
      } else {
        staging.copyFrom(known.data());
      }
    });
  }

  /// The sizes of what is open.
  RequestShape shape() {
    return shape;
  }

  /// Whether an input is small.
  boolean has(String name) {
    return small.keySet().stream().anyMatch(input -> inputs.get(input).name().equals(name));
  }

  /// The small inputs by name.
  Map<String, Tensor> values() {
    Map<String, Tensor> values = new HashMap<>();
    small.forEach((input, tensor) -> values.put(inputs.get(input).name(), tensor));
    return values;
  }

  /// What tells apart the values of some inputs; empty for none. An input that is not small counts
  /// for nothing: no size follows from it.
  String key(Collection<String> names) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Tensor tensor = small.get(i);
      if (tensor != null && names.contains(inputs.get(i).name())) {
        parts.add(inputs.get(i).name() + "=" + text(tensor));
      }
    }
    return String.join(",", parts);
  }

  /// `shapes [2, 3][2], counts=[1,4]`: shapes, and the values of inputs of a few elements.
  @Override
  public String toString() {
    return small.entrySet().stream()
        .filter(input -> input.getValue().elements() <= MOST_SHOWN)
        .map(input -> ", " + inputs.get(input.getKey()).name() + "=" + text(input.getValue()))
        .collect(Collectors.joining("", "shapes " + RequestSizes.text(request.shapes()), ""));
  }

  /* The numbers, up to a few; of more the first, and what tells the rest apart. */
  private static String text(Tensor tensor) {
    long shown = Math.min(tensor.elements(), MOST_SHOWN);
    TensorView elements = TensorView.of(tensor);
    String numbers =
        LongStream.range(0, shown)
            .mapToObj(i -> text(elements, i))
            .collect(Collectors.joining(",", "[", ""));
    return shown == tensor.elements() ? numbers + "]" : numbers + ",… " + digest(tensor) + "]";
  }

  private static String text(TensorView elements, long i) {
    return switch (elements.element()) {
      case F64 -> Double.toString(elements.realAt(i));
      case F32, F16, BF16 -> Float.toString((float) elements.realAt(i));
      case I8, I16, I32, I64, U8, U16, U32, BOOL -> Long.toString(elements.wholeAt(i));
      case U64 -> Long.toUnsignedString(elements.wholeAt(i));
    };
  }

  private static String digest(Tensor tensor) {
    try {
      byte[] bytes = tensor.data().toArray(ValueLayout.JAVA_BYTE);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
