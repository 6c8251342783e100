package io.miniinference.plan.certificate;

import io.miniinference.plan.Block;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.coalesce.LowerBound;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.TimedStep;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import java.util.List;

/// What a plan promises at one batch size, with the bounds it is measured against, for people
/// ([#text], [#svg]) and for programs ([#json]).
///
/// @param batch rows of the request
/// @param naiveBytes each input and node result of the file in a block of its own, less those that
///   are smaller than a block
/// @param lowerBoundBytes most bytes live at once, element by element, before any merge
/// @param placementBoundBytes most bytes live at once of the blocks placed
/// @param plannedBytes the arena of one request without failure slots
/// @param failureBytes its failure slots
/// @param copies steps that move 256 bytes or more into another place or order
/// @param conversions steps that move a value between layouts
public record Certificate(
    MemoryPlan plan,
    Placement placement,
    PlanHeader deployment,
    long batch,
    long naiveBytes,
    long lowerBoundBytes,
    long placementBoundBytes,
    long plannedBytes,
    long failureBytes,
    int copies,
    int conversions) {

  /// Below this a step of kind [Step.Kind#COPY] is no copy worth counting.
  private static final long COPY_BYTES = 256;

  /// The certificate of the bucket in which a batch of `n` runs, at the bucket's own batch size.
  public static Certificate of(MemoryPlan plan, long n, PlanHeader deployment) {
    Placement placement = plan.placement(n);
    long batch = placement.batch();
    Program source = plan.source();
    return new Certificate(
        plan,
        placement,
        deployment,
        batch,
        naiveBytes(source, batch),
        LowerBound.bytes(source, batch),
        placement.placementBoundBytes(),
        placement.plannedBytes(),
        placement.failureBytes(),
        count(plan, Step.Kind.COPY, batch, COPY_BYTES) + last(plan, batch),
        count(plan, Step.Kind.CONVERT, batch, 0));
  }

  /* Blocks as they are placed: of whole units, and none for values that share the slab. */
  private static long naiveBytes(Program source, long batch) {
    return source.naiveSizes().stream()
        .mapToLong(size -> size.bytes().at(batch))
        .filter(bytes -> bytes >= Block.SMALL_BYTES)
        .map(bytes ->
            Math.multiplyExact(
                Math.ceilDiv(bytes, Placement.ALIGNMENT_BYTES), Placement.ALIGNMENT_BYTES))
        .reduce(0, Math::addExact);
  }

  private static int count(MemoryPlan plan, Step.Kind kind, long batch, long fromBytes) {
    return (int)
        plan.lifetimes().steps().stream()
            .map(TimedStep::step)
            .filter(step -> step.kind() == kind && movedBytes(step, batch) >= fromBytes)
            .count();
  }

  /* Copies that are made after the last iteration of a loop, if at all. */
  private static int last(MemoryPlan plan, long batch) {
    return (int)
        plan.motions().stream()
            .flatMap(motion -> motion.alternations().stream())
            .filter(each -> each.block().sizeBytes().at(batch) >= COPY_BYTES)
            .count();
  }

  /// What a step costs: where two places take turns, the step that copies once if at all is a copy.
  Step.Kind kind(Step step) {
    boolean isLast =
        plan.motions().stream()
            .flatMap(motion -> motion.alternations().stream())
            .anyMatch(each -> each.copy() == step.number());
    return isLast ? Step.Kind.COPY : step.kind();
  }

  /// Bytes that a step writes, padding included; none for a view.
  static long movedBytes(Step step, long batch) {
    return Lifetimes.isView(step)
        ? 0
        : step.writes().stream().mapToLong(array -> array.denseBytes(batch)).sum();
  }

  /// The tensors of the arena, views included, by first use.
  List<TensorUse> tensors() {
    return TensorUse.of(this);
  }

  /// A table and a picture in characters.
  public String text() {
    return new CertificateText(this).text();
  }

  /// One line of JSON with the fields of `plan --json`.
  public String json() {
    return new CertificateJson(this).json();
  }

  /// Time × address as an SVG document.
  public String svg() {
    return new CertificateSvg(this).svg();
  }
}
