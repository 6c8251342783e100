package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Step;
import java.util.List;

/// The bytes that one step touches twice: a write over a read is right only where the step says
/// that it may work in place and both are the same place; writes and scratch share bytes with
/// nothing.
final class StepConflicts {
  private final ArenaMap territory;
  private final Step step;

  StepConflicts(ArenaMap territory, Step step) {
    this.territory = territory;
    this.step = step;
  }

  void check() {
    for (int w = 0; w < step.writes().size(); w++) {
      checkReads(w);
      checkWrites(w);
    }
    for (int s = 0; s < step.scratch().size(); s++) {
      checkScratch(step.scratch().get(s), step.reads());
      checkScratch(step.scratch().get(s), step.writes());
      checkScratchApart(s);
    }
  }

  private void checkScratchApart(int scratch) {
    Block block = step.scratch().get(scratch);
    for (Block other : step.scratch().subList(0, scratch)) {
      if (territory.span(block).overlaps(territory.span(other))) {
        throw wrong(
            "has scratch '%s' at %s and '%s' at %s",
            block.name(), territory.span(block), other.name(), territory.span(other));
      }
    }
  }

  private void checkReads(int write) {
    Array written = step.writes().get(write);
    for (int r = 0; r < step.reads().size(); r++) {
      Array read = step.reads().get(r);
      if (territory.overlap(written, read)
          && !(mayBeWrittenOver(r) && territory.samePlace(written, read))) {
        throw wrong(
            "writes '%s' at %s over its operand '%s' at %s",
            written.name(), territory.span(written), read.name(), territory.span(read));
      }
    }
  }

  /* The operand is read at the written index only, whichever result it is read for. */
  private boolean mayBeWrittenOver(int read) {
    for (int w = 0; w < step.writes().size(); w++) {
      if (!step.inPlace().contains(new Step.InPlace(w, read))) {
        return false;
      }
    }
    return true;
  }

  private void checkWrites(int write) {
    Array written = step.writes().get(write);
    for (Array other : step.writes().subList(0, write)) {
      if (territory.overlap(written, other)) {
        throw wrong(
            "writes both '%s' at %s and '%s' at %s",
            written.name(), territory.span(written), other.name(), territory.span(other));
      }
    }
  }

  private void checkScratch(Block scratch, List<Array> arrays) {
    for (Array array : arrays) {
      if (array.block().isPlanned() && territory.span(array).overlaps(territory.span(scratch))) {
        throw wrong(
            "has scratch '%s' at %s over '%s' at %s",
            scratch.name(), territory.span(scratch), array.name(), territory.span(array));
      }
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private VerificationException wrong(String text, Object... details) {
    return territory.wrong("%s %s", Replay.label(step), text.formatted(details));
  }
}
