package io.miniinference.runtime.specialise;

import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
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

  static FreeSizes of(Signature signature) {
    Set<String> free = new TreeSet<>(signature.symbols());
    free.removeIf(symbol -> SizeExpression.follows(symbol, signature.symbols()));
    return new FreeSizes(signature, free);
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
