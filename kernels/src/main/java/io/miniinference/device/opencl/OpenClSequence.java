package io.miniinference.device.opencl;

import io.miniinference.device.Launch;
import io.miniinference.device.host.Bound;
import java.util.Arrays;
import java.util.List;
import org.jocl.cl_mem;

/// The kernel objects of a prepared sequence, one per launch and worker, each launched once.
final class OpenClSequence implements AutoCloseable {
  private static final long[] ITEM = {1};

  /// PoCL has the last 128 open.
  private static final int HOLD_EVERY = 64;

  private final OpenClContext context;
  private final Launch.Work[] works;
  private final OpenClKernelObject[][] kernels;
  private final long[][] locals;

  /// Creates and warms up. The caller holds [OpenClProgram#COMPILER].
  ///
  /// @param settle waits for all runs that have begun
  OpenClSequence(
      OpenClContext context,
      OpenClPrograms programs,
      List<Launch> launches,
      cl_mem pool,
      Runnable settle) {
    this.context = context;
    works = launches.stream().map(Launch::work).toArray(Launch.Work[]::new);
    locals = Arrays.stream(works).map(OpenClSequence::local).toArray(long[][]::new);
    kernels = new OpenClKernelObject[works.length][context.workers()];
    boolean isNew = !programs.areReady(launches);
    boolean complete = false;
    try {
      for (int i = 0; i < works.length; i++) {
        OpenClProgram program = programs.of(launches.get(i));
        program.warmUp(launches.get(i), locals[i], pool, settle);
        create(i, launches.get(i), program, pool);
        if (isNew && i % HOLD_EVERY == HOLD_EVERY - 1) {
          program.holdLibraries();
        }
      }
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
    if (Arrays.stream(works).allMatch(Launch.Items.class::isInstance)) {
      programs.warmUpRest(pool, settle);
    }
    programs.keep();
  }

  /// Work items of a work-group, by dimension.
  static long[] local(Launch.Work work) {
    return switch (work) {
      case Launch.Items _ -> ITEM;
      case Launch.Groups groups ->
          groups.dimensions().stream().mapToLong(Launch.Extent::local).toArray();
    };
  }

  private void create(int index, Launch launch, OpenClProgram program, cl_mem pool) {
    int arguments = program.arguments(launch);
    for (int worker = 0; worker < context.workers(); worker++) {
      kernels[index][worker] =
          new OpenClKernelObject(program.handles(), launch.kernel(), arguments, pool, context);
    }
  }

  /// Queues a share of a launch on a worker's queue.
  void queue(Bound bound, int worker, int launch, long first, long count) {
    OpenClKernelObject kernel = kernels[launch][worker];
    kernel.bind(bound, launch);
    switch (works[launch]) {
      case Launch.Items _ -> kernel.queueItems(context.queue(worker), first, count);
      case Launch.Groups groups ->
          kernel.queueGroups(context.queue(worker), groups, bound.n(), locals[launch]);
    }
  }

  @Override
  public void close() {
    for (OpenClKernelObject[] ofLaunch : kernels) {
      for (OpenClKernelObject kernel : ofLaunch) {
        closeIfMade(kernel);
      }
    }
  }

  private static void closeIfMade(@org.jspecify.annotations.Nullable OpenClKernelObject kernel) {
    if (kernel != null) {
      kernel.close();
    }
  }
}
