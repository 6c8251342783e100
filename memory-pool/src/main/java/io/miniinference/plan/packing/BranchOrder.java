package io.miniinference.plan.packing;

import java.util.List;

/// Which rectangle the search decides about next: first a section is chosen, then one of the
/// rectangles that can still be the lowest of it.
///
/// @param section the section with the smallest key is taken
/// @param rectangle the rectangle with the smallest key is taken
record BranchOrder(SectionChoice section, RectangleChoice rectangle) {
  /// Orders that fail on different instances; a search goes through them in turn.
  static final List<BranchOrder> PORTFOLIO =
      List.of(
          new BranchOrder(SectionChoice.LOW_WITH_FEW, RectangleChoice.LEAST_WASTE),
          new BranchOrder(SectionChoice.LOWEST_THEN_HARDEST, RectangleChoice.LOWEST),
          new BranchOrder(SectionChoice.LOW_WITH_FEW, RectangleChoice.AREA_LESS_WASTE),
          new BranchOrder(SectionChoice.LOWEST_THEN_HARDEST, RectangleChoice.LOWEST_THEN_HIGH),
          new BranchOrder(SectionChoice.LOW_WITH_FEW, RectangleChoice.LOWEST),
          new BranchOrder(SectionChoice.LOWEST_THEN_FEW, RectangleChoice.LEAST_WASTE_THEN_LONG),
          new BranchOrder(SectionChoice.LOWEST_THEN_HARDEST, RectangleChoice.LEAST_WASTE));

  /// What the search knows of a section.
  ///
  /// @param lowest the lowest offset among its open rectangles
  /// @param candidates how many of them can be the lowest
  /// @param weight grows with each failure found in it
  record Section(long lowest, int candidates, double weight) {}

  /// What the search knows of a rectangle.
  ///
  /// @param lowest its lowest offset
  /// @param size its height
  /// @param span its sections
  /// @param waste units × sections that would stay empty below it
  record Candidate(long lowest, long size, int span, long waste) {
    double area() {
      return (double) size * span;
    }

    double averageWaste() {
      return (double) waste / span;
    }
  }

  /// Keys of sections.
  enum SectionChoice {
    /// The lowest; of equals the one where the search failed most often.
    LOWEST_THEN_HARDEST {
      @Override
      long first(Section section, long capacity) {
        return section.lowest;
      }

      @Override
      double second(Section section) {
        return -section.weight;
      }
    },

    /// The lowest; of equals the one with the fewest candidates for its weight.
    LOWEST_THEN_FEW {
      @Override
      long first(Section section, long capacity) {
        return section.lowest;
      }

      @Override
      double second(Section section) {
        return section.candidates / section.weight;
      }
    },

    /// The lowest to a hundredth of the capacity, then as before.
    LOW_WITH_FEW {
      @Override
      long first(Section section, long capacity) {
        return (long) (100.0 * section.lowest / capacity);
      }

      @Override
      double second(Section section) {
        return section.candidates / section.weight;
      }
    };

    abstract long first(Section section, long capacity);

    abstract double second(Section section);
  }

  /// Keys of rectangles.
  enum RectangleChoice {
    /// The lowest, then the one with the largest area.
    LOWEST {
      @Override
      double first(Candidate candidate) {
        return candidate.lowest;
      }

      @Override
      double second(Candidate candidate) {
        return -candidate.area();
      }
    },

    /// The lowest, then the highest one.
    LOWEST_THEN_HIGH {
      @Override
      double first(Candidate candidate) {
        return candidate.lowest;
      }

      @Override
      double second(Candidate candidate) {
        return -candidate.size;
      }
    },

    /// The one with the thinnest waste below it, then the one with the largest area.
    LEAST_WASTE {
      @Override
      double first(Candidate candidate) {
        return candidate.averageWaste();
      }

      @Override
      double second(Candidate candidate) {
        return -candidate.area();
      }
    },

    /// The one with the thinnest waste below it, then the one that lives longest.
    LEAST_WASTE_THEN_LONG {
      @Override
      double first(Candidate candidate) {
        return candidate.averageWaste();
      }

      @Override
      double second(Candidate candidate) {
        return -candidate.span;
      }
    },

    /// The largest area, where waste counts four times against it.
    AREA_LESS_WASTE {
      @Override
      double first(Candidate candidate) {
        return 4.0 * candidate.waste - candidate.area();
      }

      @Override
      double second(Candidate candidate) {
        return 0;
      }
    };

    abstract double first(Candidate candidate);

    abstract double second(Candidate candidate);
  }
}
