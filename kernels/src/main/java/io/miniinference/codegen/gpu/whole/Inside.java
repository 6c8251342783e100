package io.miniinference.codegen.gpu.whole;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Weight;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.verify.VerifiedPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What a work-group does with its rows: stages over arrays in local memory. A convolution and the
/// pool that alone reads it are one stage, and what a convolution reads has its padding around it
/// ([Margins]).
///
/// @param inputs where the rows of each input are put
/// @param outputs where the rows of each output are found
/// @param plan the stages over these, for the planner
/// @param margins images with zeros around them
record Inside(
    List<Array> inputs, List<Stage> stages, List<Array> outputs, Program plan, Margins margins) {
  Inside {
    inputs = List.copyOf(inputs);
    stages = List.copyOf(stages);
    outputs = List.copyOf(outputs);
  }

  /// Where everything lies in local memory, for `rows` rows.
  Placement placement(long rows) {
    return VerifiedPlan.of(plan, PlanOptions.upTo(rows).withoutCoalescing()).plan().placement(rows);
  }

  /// Whether a block has zeros around its images.
  boolean hasMargins(Block block) {
    return margins.blocks().contains(block);
  }

  /// Empty where a step has no form for a work-group.
  static Optional<Inside> of(LoweredProgram program, Predicate<Packing> isByDepth) {
    return new Builder(program, isByDepth).build();
  }

  private static final class Builder {
    private final LoweredProgram program;
    private final Map<Block, Packing> packings = new HashMap<>();
    private final Predicate<Packing> isByDepth;

    /// Each mention of a block: as an operand, a result, an input or an output.
    private final Map<Block, List<Array>> uses = new HashMap<>();

    private final List<Block> blocks;
    private final List<Step> steps = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();

    Builder(LoweredProgram program, Predicate<Packing> isByDepth) {
      this.program = program;
      this.isByDepth = isByDepth;
      blocks = new ArrayList<>(program.plan().blocks());
      for (Weight weight : program.weights()) {
        packings.put(weight.block(), weight.packing());
      }
      for (Step step : program.plan().body().steps()) {
        step.reads().forEach(this::use);
        step.writes().forEach(this::use);
      }
      program.inputs().forEach(this::use);
      program.outputs().forEach(this::use);
    }

    private void use(Array array) {
      uses.computeIfAbsent(array.block(), _ -> new ArrayList<>()).add(array);
    }

    Optional<Inside> build() {
      if (!isMadeByItself() || !program.steps().stream().allMatch(this::isSimple)) {
        return Optional.empty();
      }
      Optional<Margins> margins = Margins.of(program, uses);
      return margins.flatMap(this::build);
    }

    private Optional<Inside> build(Margins margins) {
      margins.blocks().forEach(block -> blocks.set(block.id(), block));
      Map<Integer, LoweredStep> launched = new HashMap<>();
      program.steps().forEach(step -> launched.put(step.number(), margins.over(step)));
      PooledConvs pooled = PooledConvs.of(program, uses);
      for (Step planned : program.plan().body().steps()) {
        LoweredStep step = launched.get(planned.number());
        if (step == null) {
          add(planned, margins.over(planned.reads()), margins.over(planned.writes()), List.of());
        } else if (!pooled.isConv(planned.number()) && !add(step, planned, launched, pooled)) {
          return Optional.empty();
        }
      }
      return Optional.of(inside(margins));
    }

    private boolean add(
        LoweredStep step, Step planned, Map<Integer, LoweredStep> launched, PooledConvs pooled) {
      Optional<LoweredStep> conv = pooled.convOf(step.number()).map(launched::get);
      Optional<? extends Stage> stage =
          conv.isPresent() ? ConvStage.of(conv.get(), Optional.of(step)) : stage(step);
      if (stage.isEmpty()) {
        return false;
      }
      stages.add(stage.get());
      blocks.addAll(stage.get().scratch());
      add(planned, conv.orElse(step).inputs(), step.outputs(), stage.get().scratch());
      return true;
    }

    private Optional<? extends Stage> stage(LoweredStep step) {
      return switch (step.node().op()) {
        case Op.Conv _ -> ConvStage.of(step, Optional.empty());
        case Op.MatMul op -> ProductStage.of(step, op, blocks.size());
        case Op.Elementwise _, Op.WindowReduce _, Op.Reduce _, Op.Softmax _ ->
            ElementStage.of(step);
        default -> Optional.empty();
      };
    }

    /* Over other arrays, numbered anew. */
    private void add(Step planned, List<Array> reads, List<Array> writes, List<Block> scratch) {
      steps.add(
          new Step(
              steps.size(),
              planned.name(),
              planned.op(),
              planned.kind(),
              reads,
              writes,
              scratch,
              List.of(),
              List.of()));
    }

    private Inside inside(Margins margins) {
      List<Array> inputs = margins.over(program.inputs());
      List<Array> outputs = margins.over(program.outputs());
      Body body = new Body("", Body.Kind.ONCE, inputs, steps, outputs);
      Program plan = program.plan();
      return new Inside(
          inputs,
          stages,
          outputs,
          new Program(plan.name(), body, blocks, plan.naiveSizes()),
          margins);
    }

    /* Whether each output is made by a step, in a block that begins with it. */
    private boolean isMadeByItself() {
      Set<Block> seen = new HashSet<>();
      program.inputs().forEach(input -> seen.add(input.block()));
      return Stream.concat(program.inputs().stream(), program.outputs().stream())
              .allMatch(array -> array.offsetBytes().equals(Affine.ZERO))
          && program.outputs().stream().allMatch(output -> seen.add(output.block()));
    }

    private boolean isSimple(LoweredStep step) {
      return step.guards().isEmpty()
          && step.gathered() == null
          && step.scratch().isEmpty()
          && step.outputs().size() == 1
          && Stream.concat(step.inputs().stream(), step.outputs().stream())
              .allMatch(Builder::isPlain)
          && Stream.concat(step.node().inputs().stream(), step.node().outputs().stream())
              .allMatch(Builder::isWhole)
          && arePackedByDepth(step);
    }

    private boolean arePackedByDepth(LoweredStep step) {
      for (int i = 0; i < step.inputs().size(); i++) {
        if (step.packed().get(i) && !isByDepth.test(packings.get(step.inputs().get(i).block()))) {
          return false;
        }
      }
      return true;
    }

    /* Rows along axis 0 alone, and strides that are numbers. */
    private static boolean isPlain(Array array) {
      List<Axis> axes = array.index().axes();
      return axes.stream().skip(1).allMatch(axis -> axis.extent().isConstant())
          && axes.stream()
              .allMatch(axis ->
                  !axis.isBlocked()
                      && !axis.extent().isOpen()
                      && !axis.extent().isZero()
                      && axis.stride().isConstant()
                      && axis.stride().constant() >= 0);
    }

    /* Numbers that need no functions to be loaded. */
    private static boolean isWhole(Value value) {
      ElementType type = value.type().element();
      return type != ElementType.F16 && type != ElementType.BF16 && type != ElementType.F64;
    }
  }
}
