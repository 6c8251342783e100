package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the rules conclude, on instances small enough to see it.
final class SectionRulesTest {
  private static final Rectangle A = new Rectangle(0, 2, 4);
  private static final Rectangle B = new Rectangle(1, 3, 3);
  private static final Rectangle C = new Rectangle(1, 3, 3);

  /* A, B and C meet in section 1. */
  private static SearchState state(long capacity, Rectangle... rectangles) {
    Instance instance = Instance.of(List.of(rectangles), 1);
    return new SearchState(instance, Sections.of(instance), new Overlaps(instance), capacity);
  }

  private static boolean settle(SearchState state, PruningRule... rules) {
    return new SectionRules(state, EnumSet.copyOf(List.of(rules)), 8).settle();
  }

  @Test
  void whatStandsOnAPlacedRectangleCannotStartBelowItsTop() {
    SearchState state = state(10, A, B, C);
    assertThat(state.decide(0)).isTrue();
    assertThat(state.lowest(1)).isEqualTo(4);
    assertThat(state.floor(1)).isEqualTo(4);
    assertThat(state.floor(2)).isZero();
  }

  @Test
  void aStackThatEndsAboveTheCapacityFails() {
    SearchState enough = state(10, A, B, C);
    assertThat(enough.decide(1)).isTrue();
    assertThat(settle(enough, PruningRule.STACK_BOUND)).isTrue();

    SearchState tooHigh = state(10, A, B, C, new Rectangle(2, 3, 1));
    tooHigh.beginReason(1);
    assertThat(tooHigh.raise(1, 1)).isTrue();
    tooHigh.beginReason(2);
    assertThat(tooHigh.raise(2, 1)).isTrue();
    tooHigh.beginReason(0);
    assertThat(tooHigh.raise(0, 1)).isTrue();
    assertThat(settle(tooHigh, PruningRule.STACK_BOUND)).isFalse();
    assertThat(tooHigh.deepestCulprit()).isZero();
  }

  @Test
  void whatCannotHaveAllOthersAboveItStartsAboveTheLowestTopOfThem() {
    SearchState state = state(10, A, B, C);
    state.beginReason(1);
    assertThat(state.raise(1, 1)).isTrue();
    assertThat(settle(state, PruningRule.NOT_LOWEST)).isTrue();
    assertThat(state.lowest(1)).as("1 + 3 + 4 + 3 > 10, so A or C is below B").isEqualTo(3);
  }

  @Test
  void aFailureFollowsFromTheDecisionsItNeedsAndNoOther() {
    Rectangle elsewhere = new Rectangle(5, 6, 1);
    SearchState state =
        state(10, new Rectangle(0, 2, 4), new Rectangle(1, 3, 7), elsewhere, elsewhere);
    assertThat(state.decide(2)).isTrue();
    assertThat(state.decide(0)).as("4 below 7").isFalse();
    assertThat(state.deepestCulprit()).isEqualTo(2);
    assertThat(state.refute(2)).as("7 below 4").isFalse();
    assertThat(state.deepestCulprit()).as("the first decision is innocent").isZero();
  }

  @Test
  void undoingBringsBackWhatWas() {
    SearchState state = state(10, A, B, C);
    state.decide(0);
    state.decide(1);
    state.undoTo(0);
    assertThat(state.offsets()).containsExactly(0, 0, 0);
    assertThat(state.isOpen(0)).isTrue();
    assertThat(state.floor(1)).isZero();
    assertThat(state.changed().isEmpty()).isTrue();
  }

  @Test
  void whatCannotRestWhereItWasTriedHasAnOpenNeighbourBelow() {
    SearchState state = state(10, A, B, C);
    state.decide(1);
    state.blameAll();
    assertThat(state.refute(1)).isTrue();
    assertThat(state.lowest(1)).as("A or C is below B, and C has the lower top").isEqualTo(3);
    assertThat(state.isOpen(1)).isTrue();
  }
}
