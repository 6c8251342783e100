package io.miniinference.schedule;

import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;
import io.miniinference.device.Launcher.Read;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.plan.Array;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One run of a schedule: conditions and trip counts that the host knows decide at once what is
/// launched, others are read from the device, where each costs a wait.
///
/// What was read is not obeyed if a failure of the whole run is recorded by then, since it may be
/// garbage: no branch and no further iteration is launched.
public final class ScheduledRun implements LaunchSequence {
  /// Bytes of the largest read: two scalars and the start of the run's failure slot.
  public static final long READ_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int NO_ITERATION = -1;

  private final Program program;
  private final long[] offsets;
  private final long n;
  private final HostFrame frame;
  private @Nullable LoopLimitException limit;

  /// What is run.
  ///
  /// @param whole the graph's sequence
  /// @param launches by step number, in their order; a step that is not in it needs none
  /// @param slots entry of the binding that holds the offset of the failure slots, the run's first,
  ///   or [#NO_SLOTS] where nothing can fail
  /// @param clock entry that tells a kernel when it runs: the number of the launch in the upper
  ///   half, that of the iteration around it, or −1, in the lower one
  /// @param maxIterations most iterations of all loops of a run together
  public record Program(
      Schedule.Part whole,
      Map<Integer, List<Integer>> launches,
      int slots,
      int clock,
      long maxIterations) {
    public static final int NO_SLOTS = -1;

    public Program {
      launches = Map.copyOf(launches);
    }

    /// Whether a run needs an input of the graph on the host.
    public boolean wants(Value input) {
      return whole.scope().wants(input);
    }
  }

  /// @param offsets of the binding
  /// @param n batch size
  /// @param inputs of the graph, at least those that the program wants
  public ScheduledRun(Program program, long[] offsets, long n, Map<Value, Tensor> inputs) {
    this.program = program;
    this.offsets = offsets;
    this.n = n;
    this.frame = HostFrame.of(program.whole().scope(), n, inputs);
  }

  @Override
  public void run(Launcher launcher) {
    try {
      new Walk(launcher).steps(program.whole().steps(), frame, NO_ITERATION);
    } catch (LoopLimitException e) {
      limit = e;
    }
  }

  /// What ended the run before its outputs were whole, if anything did. It ends like any other:
  /// failures that were recorded until then come back.
  public Optional<LoopLimitException> limit() {
    return Optional.ofNullable(limit);
  }

  private final class Walk {
    private final Launcher launcher;
    private final long[] current = offsets.clone();
    private long launched;
    private long iterations;

    Walk(Launcher launcher) {
      this.launcher = launcher;
    }

    void steps(List<Schedule> steps, HostFrame frame, int iteration) {
      for (Schedule step : steps) {
        switch (step) {
          case Schedule.Run run -> launch(run, iteration);
          case Schedule.Branch branch -> branch(branch, frame, iteration);
          case Schedule.Once once ->
              steps(
                  once.body().steps(),
                  frame.branch(once.node(), once.body().scope()),
                  once.iteration());
          case Schedule.Repeat repeat -> repeat(repeat, frame);
        }
      }
    }

    private void launch(Schedule.Run run, int iteration) {
      List<Integer> launches = program.launches().getOrDefault(run.step(), List.of());
      if (launches.isEmpty()) {
        return;
      }
      launched++;
      if (run.timed()) {
        launcher.offset(program.clock(), launched << 32 | iteration & 0xffff_ffffL);
      }
      launches.forEach(launcher::launch);
    }

    private void branch(Schedule.Branch branch, HostFrame frame, int iteration) {
      Decision condition = branch.condition();
      if (condition == null) {
        part(branch, branch.then(), frame, iteration);
        part(branch, branch.otherwise(), frame, iteration);
        return;
      }
      long[] taken = values(frame, condition);
      if (taken.length > 0) {
        part(branch, taken[0] != 0 ? branch.then() : branch.otherwise(), frame, iteration);
      }
    }

    private void part(Schedule.Branch branch, Schedule.Part part, HostFrame frame, int iteration) {
      steps(part.steps(), frame.branch(branch.node(), part.scope()), iteration);
    }

    private void repeat(Schedule.Repeat repeat, HostFrame around) {
      long[] start = values(around, repeat.trips(), repeat.first());
      if (start.length == 0 || start[0] <= 0 || start[1] == 0) {
        return;
      }
      Op.Loop loop = (Op.Loop) repeat.node().op();
      HostFrame frame = around.first(repeat.node(), loop, repeat.body().scope());
      repeat.pointers().forEach(pointer -> move(pointer.entry(), pointer.first()));
      repeat.alternations().forEach(each -> move(each.entry(), each.even()));
      for (int k = 0; ; k++) {
        spend(repeat);
        move(repeat.windows(), k);
        steps(repeat.body().steps(), frame, k);
        if (k + 1 >= start[0] || !goesOn(repeat, frame)) {
          bringHome(repeat, k);
          return;
        }
        repeat.pointers().forEach(pointer -> move(pointer.entry(), pointer.next()));
        boolean isEven = (k + 1) % 2 == 0;
        repeat
            .alternations()
            .forEach(each -> move(each.entry(), isEven ? each.even() : each.odd()));
        frame = around.next(repeat.node(), loop, k + 1L, frame);
      }
    }

    /* What an even iteration has left as the last one is not where the loop's result is. */
    private void bringHome(Schedule.Repeat repeat, int last) {
      for (Schedule.Alternation each : repeat.alternations()) {
        if (last % 2 == 0) {
          launch(new Schedule.Run(each.copy(), false), last);
        }
      }
    }

    private boolean goesOn(Schedule.Repeat repeat, HostFrame frame) {
      long[] condition = values(frame, repeat.goesOn());
      return condition.length > 0 && condition[0] != 0;
    }

    private void spend(Schedule.Repeat repeat) {
      if (++iterations > program.maxIterations()) {
        throw new LoopLimitException(
            repeat.node().name(), repeat.node().onnxOp(), program.maxIterations());
      }
    }

    private void move(List<Schedule.Window> windows, long iteration) {
      for (Schedule.Window window : windows) {
        long moved = Math.multiplyExact(iteration, window.stepBytes().at(n));
        move(window.entry(), offset(window.first()) + moved);
      }
    }

    private void move(int entry, Schedule.Place place) {
      move(entry, offset(place));
    }

    private void move(int entry, long offset) {
      current[entry] = offset;
      launcher.offset(entry, offset);
    }

    private long offset(Schedule.Place place) {
      return current[place.entry()] + place.bytes().at(n);
    }

    /* The decisions' values, with one wait if any is the device's; none if a failure of the run is
    recorded by then. */
    private long[] values(HostFrame frame, Decision... decisions) {
      DeviceReads reads = new DeviceReads(decisions.length);
      for (int i = 0; i < decisions.length; i++) {
        if (decisions[i] instanceof Decision.OnDevice(Array array)) {
          reads.add(i, offset(Schedule.Place.of(array)), array.elementBytes());
        }
      }
      if (!reads.isEmpty() && !reads.run(launcher)) {
        return new long[0];
      }
      long[] values = new long[decisions.length];
      for (int i = 0; i < decisions.length; i++) {
        values[i] =
            switch (decisions[i]) {
              case Decision.OnHost(Value value) -> frame.scalar(value);
              case Decision.OnDevice _ -> reads.value(i);
            };
      }
      return values;
    }
  }

  /// Scalars of the device that are read in one wait, and whether the run has failed by then.
  private final class DeviceReads {
    private final MemorySegment[] targets;
    private final List<Read> reads = new ArrayList<>();

    DeviceReads(int most) {
      targets = new MemorySegment[most];
    }

    void add(int place, long offset, int bytes) {
      targets[place] = MemorySegment.ofArray(new byte[Long.BYTES]);
      reads.add(new Read(offset, targets[place].asSlice(0, bytes)));
    }

    boolean isEmpty() {
      return reads.isEmpty();
    }

    /* Whether no failure of the run is recorded. */
    boolean run(Launcher launcher) {
      MemorySegment slot = MemorySegment.ofArray(new byte[Integer.BYTES]);
      if (program.slots() != Program.NO_SLOTS) {
        reads.add(new Read(offsets[program.slots()], slot));
      }
      launcher.read(reads.toArray(Read[]::new));
      return slot.get(INT, 0) == 0;
    }

    long value(int place) {
      return targets[place].get(LONG, 0);
    }
  }
}
