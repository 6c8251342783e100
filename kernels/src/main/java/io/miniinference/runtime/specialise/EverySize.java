package io.miniinference.runtime.specialise;

import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.RequestShape;
import java.util.Optional;

/// Plans a model of one open size, such as one that reads texts, for each of its smaller sizes, one
/// after the other, before requests ask for them ([io.miniinference.runtime.Model#planAhead]).
/// Other sizes may follow from it ([FreeSizes]); a model with several to choose has too many
/// shapes.
final class EverySize {
  /// Sizes that the model does not take, after which the next ones are not tried: they are no
  /// lengths of texts.
  private static final int MOST_REFUSED = 8;

  private final AheadOfRequests ahead;
  private final FreeSizes sizes;
  private final Specialiser specialiser;
  private long next = 1;
  private int refused;
  private boolean hasEnded;

  EverySize(AheadOfRequests ahead, Specialiser specialiser) {
    this.ahead = ahead;
    this.specialiser = specialiser;
    sizes = FreeSizes.of(ahead.open().signature());
    hasEnded = !sizes.areOfLengths();
  }

  /// Plans the smallest size that has no plan.
  ///
  /// @param most the largest size to plan
  /// @return false if there is none, or no plan more would be kept, or one took a kernel that its
  ///   size alone has
  synchronized boolean isNextPlanned(long most) {
    while (!hasEnded && next <= most) {
      Optional<RequestShape> shape = sizes.ofLength(next++);
      if (shape.isEmpty()) {
        refuse();
      } else if (!specialiser.isKept(ahead.open().sizes(shape.get()))) {
        plan(shape.get());
        return true;
      }
    }
    return false;
  }

  private void plan(RequestShape shape) {
    int kernels = specialiser.kernels();
    try {
      if (!ahead.isCompiled(shape)) {
        refuse();
      }
      hasEnded |= specialiser.kernels() > kernels || !specialiser.keepsFurtherPlans();
    } catch (ModelClosedException e) {
      hasEnded = true;
    }
  }

  private void refuse() {
    refused++;
    hasEnded |= refused == MOST_REFUSED;
  }
}
