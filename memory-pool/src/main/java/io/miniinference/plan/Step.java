package io.miniinference.plan;

import java.util.List;

/// One step of a program: reads arrays, writes arrays, may run nested bodies.
///
/// @param number place in execution order, counted over all bodies from 0
/// @param name the node's name
/// @param op the operator, for people
/// @param reads arrays read, weights included
/// @param writes arrays written in full
/// @param scratch blocks needed only while this step runs
/// @param inPlace pairs of (write, read) in which the step reads and writes the same index of
///   equal-sized elements only, so that both may be the same memory; of a step with several results
///   an operand is overwritten only if it is paired with each of them
/// @param bodies branches of an `If`, the body of a `Loop`
public record Step(
    int number,
    String name,
    String op,
    Kind kind,
    List<Array> reads,
    List<Array> writes,
    List<Block> scratch,
    List<InPlace> inPlace,
    List<Body> bodies) {
  public Step {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    scratch = List.copyOf(scratch);
    inPlace = List.copyOf(inPlace);
    bodies = List.copyOf(bodies);
  }

  /// What a step costs.
  public enum Kind {
    COMPUTE,
    /// Moves a value into another place or order that the graph asks for.
    COPY,
    /// Moves a value between layouts that the device wants.
    CONVERT,
    /// Nothing: its result is its operand's memory under another index function.
    VIEW
  }

  /// The same step over other arrays.
  public Step with(List<Array> otherReads, List<Array> otherWrites) {
    return new Step(number, name, op, kind, otherReads, otherWrites, scratch, inPlace, bodies);
  }

  public Step with(Kind otherKind, List<Body> otherBodies) {
    return new Step(number, name, op, otherKind, reads, writes, scratch, inPlace, otherBodies);
  }

  /// Whether `reads[read]` is read at the index that is written only, whichever result it is read
  /// for.
  public boolean isPairedWithAll(int read) {
    for (int write = 0; write < writes.size(); write++) {
      if (!inPlace.contains(new InPlace(write, read))) {
        return false;
      }
    }
    return true;
  }

  /// `writes[write]` may be placed over `reads[read]`.
  public record InPlace(int write, int read) {}
}
