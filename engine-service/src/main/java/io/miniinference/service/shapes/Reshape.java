package io.miniinference.service.shapes;

import io.miniinference.onnx.Quote;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.config.SettingsException;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A tensor that a client sees in one shape, and the model in another of as many elements. −1
/// stands for what a request chooses: the same sizes on both sides, in the same order.
///
/// @param tensor its name
/// @param client the whole shape as clients see it
/// @param model the whole shape as the model has it
record Reshape(String tensor, List<Long> client, List<Long> model) {
  Reshape {
    client = List.copyOf(client);
    model = List.copyOf(model);
  }

  /// @throws SettingsException if they are not of as many elements
  static Reshape of(String tensor, List<Long> client, List<Long> model) {
    if (!between(client).equals(between(model))) {
      throw new SettingsException(
          "tensor %s: its shape of %s in the model configuration and its reshape of %s have different sizes. Between those of -1, both need as many elements"
              .formatted(Quote.of(tensor), client, model));
    }
    if (startsOpen(client) != startsOpen(model)) {
      throw new SettingsException(
          "tensor %s: its reshape from %s to %s moves axis 0, on which the batch is"
              .formatted(Quote.of(tensor), client, model));
    }
    return new Reshape(tensor, client, model);
  }

  private static boolean startsOpen(List<Long> shape) {
    return !shape.isEmpty() && shape.getFirst() == -1;
  }

  /* The elements before, between and behind open sizes. */
  private static List<BigInteger> between(List<Long> shape) {
    List<BigInteger> products = new ArrayList<>(List.of(BigInteger.ONE));
    for (long size : shape) {
      if (size == -1) {
        products.add(BigInteger.ONE);
      } else {
        products.set(products.size() - 1, products.getLast().multiply(BigInteger.valueOf(size)));
      }
    }
    return products;
  }

  /// A client's shape as the model has it.
  ///
  /// @throws InvalidRequestException if it is none that clients may send
  long[] toModel(long[] shape) {
    return of(shape, client, model);
  }

  /// The model's shape as a client sees it.
  ///
  /// @throws InvalidRequestException if a request made it one that the configuration leaves no room
  ///   for
  long[] toClient(long[] shape) {
    return of(shape, model, client);
  }

  /// A tensor of the model as a client sees it.
  ///
  /// @throws SettingsException if the model has it in another shape than the configuration says
  TensorSpec toClient(TensorSpec spec) {
    requireFit(spec);
    List<Dimension> open = new ArrayList<>();
    for (int axis = 0; axis < model.size(); axis++) {
      if (model.get(axis) == -1) {
        open.add(spec.dims().get(axis));
      }
    }
    List<Dimension> dims = new ArrayList<>();
    for (long size : client) {
      dims.add(size == -1 ? open.removeFirst() : new Dimension.Fixed(size));
    }
    return spec.withDims(dims);
  }

  /* A file may leave open what shows only in the model that is made of it. */
  private void requireFit(TensorSpec spec) {
    boolean fits = spec.dims().size() == model.size();
    for (int axis = 0; fits && axis < model.size(); axis++) {
      fits =
          switch (spec.dims().get(axis)) {
            case Dimension.Fixed fixed -> model.get(axis) == -1 || model.get(axis) == fixed.size();
            case Dimension.Batch _, Dimension.Open _ -> true;
            case Dimension.Rest _ -> false;
          };
    }
    if (!fits) {
      throw new SettingsException(
          "tensor %s: the model has it as %s, which its reshape of %s in the model configuration does not fit"
              .formatted(Quote.of(tensor), spec, model));
    }
  }

  private long[] of(long[] shape, List<Long> from, List<Long> to) {
    List<Long> open = new ArrayList<>();
    boolean fits = shape.length == from.size();
    for (int axis = 0; fits && axis < shape.length; axis++) {
      if (from.get(axis) == -1) {
        open.add(shape[axis]);
      } else {
        fits = from.get(axis) == shape[axis];
      }
    }
    if (!fits) {
      throw new InvalidRequestException(
          "tensor %s has shape %s with this request, and %s in the model configuration"
              .formatted(Quote.of(tensor), Arrays.toString(shape), from));
    }
    return to.stream().mapToLong(size -> size == -1 ? open.removeFirst() : size).toArray();
  }
}
