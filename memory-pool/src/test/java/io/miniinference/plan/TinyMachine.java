package io.miniinference.plan;

import io.miniinference.layout.Axis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToLongFunction;

/// Runs a program on bytes: each step writes elements that depend on elements of all its operands,
/// one after the other, reading while it writes, as a kernel would. What it returns for two
/// placements of one program differs if one of them lets a value be overwritten too early.
public final class TinyMachine {
  private final Program program;
  private final ToLongFunction<Block> offsets;
  private final long n;
  private final long paths;
  private final byte[] arena;
  private final Map<Integer, Long> moving = new HashMap<>();
  private int branches;

  /// `paths` decides each branch and the number of each loop's iterations; `noise` is what the
  /// arena holds before.
  public TinyMachine(
      Program program,
      ToLongFunction<Block> offsets,
      long arenaBytes,
      long n,
      long paths,
      long noise) {
    this.program = program;
    this.offsets = offsets;
    this.n = n;
    this.paths = paths;
    arena = new byte[Math.toIntExact(arenaBytes)];
    new Random(noise).nextBytes(arena);
  }

  /// The results' elements, one list per result.
  public List<List<Long>> run() {
    for (Array parameter : program.body().parameters()) {
      int[] at = addresses(parameter);
      for (int i = 0; i < at.length; i++) {
        store(parameter, at[i], mix(parameter.name().hashCode(), i));
      }
    }
    program.body().steps().forEach(this::run);
    return program.body().results().stream().map(this::values).toList();
  }

  private List<Long> values(Array array) {
    List<Long> values = new ArrayList<>();
    for (int at : addresses(array)) {
      values.add(load(array, at));
    }
    return values;
  }

  private void run(Step step) {
    if (step.kind() == Step.Kind.VIEW || isUpdateOfRows(step)) {
      return;
    }
    for (Block block : step.scratch()) {
      int start = Math.toIntExact(offsets.applyAsLong(block));
      for (int i = 0; i < block.sizeBytes().at(n); i++) {
        arena[start + i] ^= (byte) (0x55 + i);
      }
    }
    if (step.kind() != Step.Kind.COMPUTE) {
      copy(step.reads(), step.writes());
    } else if (step.bodies().isEmpty()) {
      compute(step);
    } else {
      runBodies(step);
    }
  }

  /* The row lies among the others already. */
  private static boolean isUpdateOfRows(Step step) {
    return step.op().equals("Loop") && step.bodies().isEmpty();
  }

  private void runBodies(Step step) {
    Body first = step.bodies().getFirst();
    int decision = (int) (mix(paths, branches++) >>> 33);
    if (first.kind() == Body.Kind.BRANCH) {
      Body body = step.bodies().get(decision % step.bodies().size());
      body.steps().forEach(this::run);
      copy(body.results(), step.writes());
    } else {
      first.motion().pointers().forEach(p -> moving.put(p.block().id(), start(p.first())));
      copy(step.reads().subList(0, first.parameters().size()), first.parameters());
      long iterations = Math.max(first.motion().fewest(), decision % 4);
      for (int i = 0; i < iterations; i++) {
        move(first.motion(), i);
        first.steps().forEach(this::run);
        first.motion().pointers().forEach(p -> moving.put(p.block().id(), start(p.next())));
        copy(first.results(), first.parameters());
      }
      copy(first.parameters(), step.writes());
    }
  }

  private void move(LoopBuffers motion, int iteration) {
    for (LoopBuffers.Window window : motion.windows()) {
      long row = window.block().sizeBytes().at(n);
      moving.put(window.block().id(), start(window.rows()) + iteration * row);
    }
    for (LoopBuffers.Alternation each : motion.alternations()) {
      moving.put(each.block().id(), start(iteration % 2 == 0 ? each.even() : each.odd()));
    }
  }

  private long start(Array array) {
    return offset(array.block()) + array.index().offset().at(n) * array.elementBytes();
  }

  private long offset(Block block) {
    return block.isMoving()
        ? Objects.requireNonNull(moving.get(block.id()))
        : offsets.applyAsLong(block);
  }

  private void copy(List<Array> from, List<Array> to) {
    List<List<Long>> values = from.stream().map(this::values).toList();
    for (int i = 0; i < to.size(); i++) {
      int[] at = addresses(to.get(i));
      for (int k = 0; k < at.length; k++) {
        store(to.get(i), at[k], values.get(i).get(k));
      }
    }
  }

  private void compute(Step step) {
    List<int[]> reads = step.reads().stream().map(this::addresses).toList();
    List<int[]> writes = step.writes().stream().map(this::addresses).toList();
    int longest = writes.stream().mapToInt(w -> w.length).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      long[] results = new long[writes.size()];
      for (int w = 0; w < results.length; w++) {
        results[w] = element(step, w, i, reads);
      }
      for (int w = 0; w < results.length; w++) {
        if (i < writes.get(w).length) {
          store(step.writes().get(w), writes.get(w)[i], results[w]);
        }
      }
    }
  }

  private long element(Step step, int write, int i, List<int[]> reads) {
    long value = mix(step.number(), write * 1_000_003L + i);
    for (int r = 0; r < reads.size(); r++) {
      int[] at = reads.get(r);
      Array read = step.reads().get(r);
      if (at.length == 0) {
        continue;
      }
      if (step.inPlace().contains(new Step.InPlace(write, r))) {
        value = mix(value, load(read, at[i]));
      } else {
        value = mix(value, load(read, at[(i * 7 + 3) % at.length]));
        value = mix(value, load(read, at[at.length - 1 - i % at.length]));
      }
    }
    return value;
  }

  private static long mix(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /* Byte addresses of all elements in row-major order; those of weights are negative. */
  private int[] addresses(Array array) {
    long base = array.block().isPlanned() ? offset(array.block()) : 0;
    List<Axis> axes = array.index().axes();
    long[] extents = axes.stream().mapToLong(a -> a.extent().at(n)).toArray();
    int count = 1;
    for (long extent : extents) {
      count *= (int) extent;
    }
    int[] result = new int[count];
    long[] index = new long[extents.length];
    for (int i = 0; i < count; i++) {
      long at = base + array.index().at(index, n) * array.elementBytes();
      result[i] = array.block().isPlanned() ? Math.toIntExact(at) : (int) (-1 - at);
      for (int k = index.length - 1; k >= 0 && ++index[k] == extents[k]; k--) {
        index[k] = 0;
      }
    }
    return result;
  }

  private long load(Array array, int at) {
    if (at < 0) {
      return mix(array.block().id(), at);
    }
    long value = 0;
    for (int i = 0; i < array.elementBytes(); i++) {
      value = (value << 8) | (arena[at + i] & 0xff);
    }
    return value;
  }

  private void store(Array array, int at, long value) {
    for (int i = 0; i < array.elementBytes(); i++) {
      arena[at + i] = (byte) (value >>> (8 * (array.elementBytes() - 1 - i)));
    }
  }
}
