package io.miniinference.plan.packing;

/// What the exact search did for a packing.
///
/// @param nodes decisions it made
/// @param ending why it stopped
public record SearchReport(long nodes, Ending ending) {
  /// Why a search stops.
  public enum Ending {
    /// A greedy order reached the target, so there was no search.
    NOT_NEEDED("not needed"),
    /// The search reached the target.
    REACHED("reached the target"),
    /// The search went through all that is lower, and there is nothing.
    PROVED("proved that nothing is lower"),
    /// The node limit; another run ends at the same place.
    NODE_LIMIT("stopped at its node limit"),
    /// The wall clock, a safety net; another run may end elsewhere.
    TIME_LIMIT("stopped at its time limit"),
    /// There are too many rectangles, or too many at once, to begin.
    TOO_LARGE("not tried: too many rectangles");

    private final String meaning;

    Ending(String meaning) {
      this.meaning = meaning;
    }

    @Override
    public String toString() {
      return meaning;
    }
  }

  static final SearchReport NOT_NEEDED = new SearchReport(0, Ending.NOT_NEEDED);

  /* Both searches as one: the ending that leaves more open. */
  SearchReport and(SearchReport other) {
    Ending worse = ending.compareTo(other.ending) >= 0 ? ending : other.ending;
    return new SearchReport(nodes + other.nodes, worse);
  }
}
