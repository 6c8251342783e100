package io.miniinference.runtime.pad;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Which sizes of a model's outputs are those of its inputs. The file tells by giving both one
/// name. Many exporters name the sizes of inputs alone and make up a name for each of an output;
/// then requests of several sizes show which it is: the one that it equals in all of them.
///
/// That is found and not proved; a request whose output is of another size is told so
/// ([Padding#cut]).
final class OutputSizes {
  private static final int PROBES = 3;

  /// Sizes of what is not padded are multiples of it.
  private static final long UNIT = 8;

  private final Model model;
  private final Map<String, Long> multiples;

  private OutputSizes(Model model, Map<String, Long> multiples) {
    this.model = model;
    this.multiples = multiples;
  }

  /// What a request showed.
  ///
  /// @param outputs their shapes
  private record Seen(RequestShape asked, List<long[]> outputs) {}

  /// A model's signature, with sizes of inputs in its outputs where they are. What is not found
  /// stays as it was.
  ///
  /// @param multiples of sizes that are padded, by symbol
  static Signature of(Model model, Map<String, Long> multiples) {
    Signature own = model.signature();
    return own.outputs().stream().allMatch(output -> isKnown(own, output))
        ? own
        : new OutputSizes(model, multiples).found();
  }

  /// Whether an output's sizes are fixed, or those of inputs.
  static boolean isKnown(Signature signature, TensorSpec output) {
    return output.dims().stream().allMatch(dim -> isKnown(signature, dim));
  }

  /// As above, of one of them.
  static boolean isKnown(Signature signature, Dimension dim) {
    return switch (dim) {
      case Dimension.Fixed _, Dimension.Batch _ -> true;
      case Dimension.Open(String symbol) -> signature.symbols().contains(symbol);
      case Dimension.Rest _ -> false;
    };
  }

  private Signature found() {
    Signature own = model.signature();
    List<Seen> seen = new ArrayList<>();
    for (int probe = 0; probe < PROBES; probe++) {
      seen(asked(probe)).ifPresent(seen::add);
    }
    if (!tellsApart(seen)) {
      return own;
    }
    List<TensorSpec> outputs = new ArrayList<>();
    for (int i = 0; i < own.outputs().size(); i++) {
      TensorSpec output = own.outputs().get(i);
      outputs.add(isKnown(own, output) ? output : output.withDims(dims(output, i, seen)));
    }
    return own.with(own.inputs(), outputs);
  }

  /* No two symbols are of one size, and none is of one size twice. */
  private RequestShape asked(int probe) {
    Signature signature = model.signature();
    Map<String, Long> sizes = new HashMap<>();
    int symbols = signature.symbols().size();
    for (String symbol : signature.symbols()) {
      long units = 1 + sizes.size() + (long) probe * (symbols + 1);
      long size = units * multiples.getOrDefault(symbol, UNIT);
      sizes.put(symbol, Math.min(size, signature.bounds().getOrDefault(symbol, Long.MAX_VALUE)));
    }
    boolean isTwo = probe == 1 && signature.hasBatch() && model.maxBatch() > 1;
    return new RequestShape(isTwo ? 2 : 1, sizes);
  }

  private Optional<Seen> seen(RequestShape asked) {
    return PaddingTrial.answer(model, asked)
        .map(outputs -> new Seen(asked, outputs.stream().map(output -> output.shape()).toList()));
  }

  /* A size that was the same in all requests is taken for none. */
  private boolean tellsApart(List<Seen> seen) {
    return multiples.keySet().stream()
        .allMatch(
            symbol -> seen.stream().map(it -> it.asked.sizes().get(symbol)).distinct().count() > 1);
  }

  private List<Dimension> dims(TensorSpec output, int number, List<Seen> seen) {
    Set<Integer> ranks = new HashSet<>();
    seen.forEach(it -> ranks.add(it.outputs.get(number).length));
    boolean isOpen = output.dims().stream().anyMatch(Dimension.Rest.class::isInstance);
    if (ranks.size() != 1) {
      return output.dims();
    }
    List<Dimension> dims = new ArrayList<>();
    for (int axis = 0; axis < ranks.iterator().next(); axis++) {
      Dimension declared = isOpen ? new Dimension.Rest() : output.dims().get(axis);
      dims.add(isKnown(model.signature(), declared) ? declared : dim(declared, number, axis, seen));
    }
    return dims;
  }

  private Dimension dim(Dimension declared, int number, int axis, List<Seen> seen) {
    List<Dimension> candidates =
        Stream.concat(
                Stream.of((Dimension) new Dimension.Batch(1)),
                model.signature().symbols().stream().map(Dimension.Open::new))
            .filter(
                it -> seen.stream().allMatch(one -> size(it, one) == one.outputs.get(number)[axis]))
            .toList();
    if (candidates.size() == 1) {
      return candidates.getFirst();
    }
    long[] sizes =
        seen.stream().mapToLong(one -> one.outputs.get(number)[axis]).distinct().toArray();
    return candidates.isEmpty() && sizes.length == 1 ? new Dimension.Fixed(sizes[0]) : declared;
  }

  private static long size(Dimension dim, Seen seen) {
    return dim instanceof Dimension.Open(String symbol)
        ? seen.asked.sizes().getOrDefault(symbol, -1L)
        : seen.asked.batch();
  }
}
