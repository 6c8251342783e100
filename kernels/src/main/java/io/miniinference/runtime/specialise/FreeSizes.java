package io.miniinference.runtime.specialise;

import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The open sizes of a model that a request chooses, and those whose names say how they follow from
/// them ([SizeExpression]).
///
/// @param free symbols that are chosen
record FreeSizes(Signature signature, Set<String> free) {
  /// Tokens that a decoder kept, those that come, and all of them.
  private static final int MOST_OF_A_DECODER = 3;

  static FreeSizes of(Signature signature) {
    Set<String> free = new TreeSet<>(signature.symbols());
    free.removeIf(symbol -> SizeExpression.follows(symbol, signature.symbols()));
    return new FreeSizes(signature, free);
  }

  /// Whether they are those of texts, or of sounds, of some length ([#ofLength]).
  boolean areOfLengths() {
    return free.size() == 1 || areOfDecoder();
  }

  /* As symbols of decoders are named. */
  private boolean areOfDecoder() {
    boolean areFew = free.size() > 1 && free.size() <= MOST_OF_A_DECODER;
    return areFew && free.stream().filter(FreeSizes::isPast).count() == 1;
  }

  /// The shape of a request for one row of some length: of the one size that is chosen, or of a
  /// decoder's past before one token.
  ///
  /// @return as [#shape]
  Optional<RequestShape> ofLength(long length) {
    return areOfDecoder() ? ofDecoder(length, 1) : shape(Map.of(free.iterator().next(), length));
  }

  /// The shape of a decoder's first request for a text of some length; empty for another model's.
  Optional<RequestShape> withoutPast(long length) {
    return areOfDecoder() ? ofDecoder(0, length) : Optional.empty();
  }

  private Optional<RequestShape> ofDecoder(long past, long fresh) {
    Map<String, Long> chosen = new TreeMap<>();
    free.forEach(symbol ->
        chosen.put(symbol, isPast(symbol) ? past : isTotal(symbol) ? past + fresh : fresh));
    return shape(chosen);
  }

  private static boolean isPast(String symbol) {
    return symbol.toLowerCase(Locale.ROOT).contains("past");
  }

  private static boolean isTotal(String symbol) {
    return symbol.toLowerCase(Locale.ROOT).contains("total");
  }

  /// The shape of a request for one row of chosen sizes.
  ///
  /// @param chosen of each free symbol
  /// @return empty if it is beyond what requests may ask for, or names say no size
  Optional<RequestShape> shape(Map<String, Long> chosen) {
    Map<String, Long> sizes = new TreeMap<>(chosen);
    for (String symbol : signature.symbols()) {
      if (!free.contains(symbol)) {
        Optional<Long> size = SizeExpression.value(symbol, chosen);
        if (size.isEmpty()) {
          return Optional.empty();
        }
        sizes.put(symbol, size.get());
      }
    }
    boolean isAllowed =
        signature.bounds().entrySet().stream()
            .allMatch(bound -> sizes.getOrDefault(bound.getKey(), 0L) <= bound.getValue());
    return isAllowed ? Optional.of(new RequestShape(1, sizes)) : Optional.empty();
  }
}
