package io.miniinference.lower.steps;

import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Weight;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.TargetConstraints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The memory blocks of a program under construction.
final class Blocks {
  private final List<Block> all = new ArrayList<>();
  private final Map<Held, Array> held = new HashMap<>();
  private final List<Weight> weights = new ArrayList<>();

  /* Bodies beside each other may have constants of the same name. */
  private record Held(Value value, Tensor tensor, Packing packing) {}

  /// A fresh block in the arena for a dense array.
  Array arena(Value value, IndexFunction index) {
    int elementBytes = value.type().element().bytes();
    Affine size = index.denseElements().times(elementBytes);
    Block block = add(value.name(), size, Block.Space.ARENA);
    return new Array(value.name(), block, index, elementBytes);
  }

  Block scratch(String name, Affine bytes) {
    return add(name, bytes, Block.Space.ARENA);
  }

  /// A block for the row of the current iteration.
  Block window(String name, Affine bytes) {
    return add(name, bytes, Block.Space.MOVING);
  }

  /// The weight block of a constant, one per packing.
  Array weight(Value value, Tensor tensor, Packing packing) {
    return held.computeIfAbsent(
        new Held(value, tensor, packing), _ -> hold(value, tensor, packing));
  }

  private Array hold(Value value, Tensor tensor, Packing packing) {
    Affine size = Affine.of(packing.bytes(tensor));
    Block block = add(value.name(), size, Block.Space.WEIGHTS);
    weights.add(new Weight(block, tensor, packing));
    IndexFunction index = IndexFunction.rowMajor(value.type().shape());
    return new Array(value.name(), block, index, packing.elementBytes(tensor));
  }

  private Block add(String name, Affine size, Block.Space space) {
    Block block = new Block(all.size(), name, size, space);
    all.add(block);
    return block;
  }

  List<Weight> weights() {
    return weights;
  }

  Program program(
      String name,
      List<Array> inputs,
      List<Step> steps,
      List<Array> outputs,
      List<Program.NamedSize> naiveSizes,
      TargetConstraints kernels) {
    Body body = new Body("", Body.Kind.ONCE, inputs, steps, outputs);
    return new Program(name, body, all, naiveSizes, kernels);
  }
}
