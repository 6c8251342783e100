package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TidyBodiesTest {
  private static void becomes(String before, String after) {
    assertThat(Passes.apply(new TidyBodies(), before)).isEqualTo(after);
  }

  @Test
  void aConstantAroundABranchIsAConstantInIt() {
    becomes(
        """
        input %c: bool[]
        const %w: f32[2] = [1.0, 2.0]
        %y: f32[2] = if(%c, %w) graph "then" {
          input %w: f32[2]
          output %w
        } graph "else" {
          input %w: f32[2]
          %n: f32[2] = elementwise(%w) { neg(a0) }
          output %n
        }
        output %y
        """,
        """
        input %c: bool[]
        %y: f32[2] = if(%c) graph "then" {
          const %w: f32[2] = [1.0, 2.0]
          output %w
        } graph "else" {
          const %w: f32[2] = [1.0, 2.0]
          %n: f32[2] = elementwise(%w) { neg(a0) }
          output %n
        }
        output %y
        """);
  }

  @Test
  void aResultThatNothingReadsIsNotComputed() {
    becomes(
        """
        input %c: bool[]
        input %x: f32[2]
        input %z: f32[2]
        %y: f32[2], %dead: f32[2] = if(%c, %x, %z) graph "then" {
          input %x: f32[2]
          input %z: f32[2]
          output %x
          output %z
        } graph "else" {
          input %x: f32[2]
          input %z: f32[2]
          %a: f32[2] = elementwise(%x) { neg(a0) }
          %b: f32[2] = elementwise(%z) { neg(a0) }
          output %a
          output %b
        }
        output %y
        """,
        """
        input %c: bool[]
        input %x: f32[2]
        input %z: f32[2]
        %y: f32[2] = if(%c, %x) graph "then" {
          input %x: f32[2]
          output %x
        } graph "else" {
          input %x: f32[2]
          %a: f32[2] = elementwise(%x) { neg(a0) }
          output %a
        }
        output %y
        """);
  }

  @Test
  void whatIsCarriedForNothingIsNotCarried() {
    becomes(
        """
        input %x: f32[2]
        const %trips: i64[] = [3]
        const %go: bool[] = [true]
        %used: f32[2], %helps: f32[2], %alone: f32[2] = loop(%trips, %go, %x, %x, %x) {carried=3} graph "body" {
          input %i: i64[]
          input %p: f32[2]
          input %q: f32[2]
          input %r: f32[2]
          const %go: bool[] = [true]
          %a: f32[2] = elementwise(%p, %q) { a0 + a1 }
          %b: f32[2] = elementwise(%q) { a0 * 2.0 }
          %c: f32[2] = elementwise(%r, %q) { a0 + a1 }
          output %go
          output %a
          output %b
          output %c
        }
        output %used
        """,
        """
        input %x: f32[2]
        const %trips: i64[] = [3]
        const %go: bool[] = [true]
        %used: f32[2], %helps: f32[2] = loop(%trips, %go, %x, %x) {carried=2} graph "body" {
          input %i: i64[]
          input %p: f32[2]
          input %q: f32[2]
          const %go: bool[] = [true]
          %a: f32[2] = elementwise(%p, %q) { a0 + a1 }
          %b: f32[2] = elementwise(%q) { a0 * 2.0 }
          output %go
          output %a
          output %b
        }
        output %used
        """);
  }

  @Test
  void aLoopWhoseResultsNobodyReadsIsGone() {
    becomes(
        """
        input %x: f32[2]
        const %trips: i64[] = [3]
        const %go: bool[] = [true]
        %y: f32[2] = loop(%trips, %go, %x) {carried=1} graph "body" {
          input %i: i64[]
          input %p: f32[2]
          const %go: bool[] = [true]
          output %go
          output %p
        }
        output %x
        """,
        """
        input %x: f32[2]
        output %x
        """);
  }

  @Test
  void constantsAreFoldedInsideBodiesWithThoseAround() {
    String before =
        """
        input %c: bool[]
        const %w: f32[2] = [1.0, 2.0]
        %v: f32[2] = elementwise(%w) { a0 * 10.0 }
        %y: f32[2] = if(%c, %v) graph "then" {
          input %v: f32[2]
          %a: f32[2] = elementwise(%v) { a0 + 1.0 }
          output %a
        } graph "else" {
          input %v: f32[2]
          output %v
        }
        output %y
        """;
    String after =
        """
        input %c: bool[]
        %y: f32[2] = if(%c) graph "then" {
          const %a: f32[2] = [11.0, 21.0]
          output %a
        } graph "else" {
          const %v: f32[2] = [10.0, 20.0]
          output %v
        }
        output %y
        """;
    Pass fold = new FoldConstants(Passes::evaluate, 1 << 20);
    assertThat(Passes.apply(fold, before)).isEqualTo(after);
  }
}
