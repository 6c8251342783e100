package io.miniinference.codegen.program;

import io.miniinference.codegen.KernelText;
import io.miniinference.lower.LoweredStep;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes the kernels of a program's steps, those of steps that are alike ([StepForm]) once: the
/// layers of a model mostly are, and of a model with open sizes most steps of one shape and the
/// next. What differs is the blocks that their launches are given. For any number of threads.
public final class AlikeSteps {
  /// Those that were asked for last: a model has some dozen, and a shape some that it alone has.
  private static final int MOST = 512;

  private final Map<StepForm, Written> written =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<StepForm, Written> eldest) {
          return size() > MOST;
        }
      };

  /* The kernels of a step, and its blocks. */
  private record Written(List<KernelText.Written> kernels, List<Integer> blocks) {
    List<KernelText.Written> over(List<Integer> others) {
      Map<Integer, Integer> places = new HashMap<>();
      for (int i = 0; i < blocks.size(); i++) {
        places.put(blocks.get(i), others.get(i));
      }
      return kernels.stream()
          .map(kernel ->
              new KernelText.Written(
                  kernel.text().over(block -> places.getOrDefault(block, block)), kernel.work()))
          .toList();
    }
  }

  /// The kernels of a step.
  ///
  /// @param writer writes those of a step that is like none before
  List<KernelText.Written> kernels(
      LoweredStep step, Function<LoweredStep, List<KernelText.Written>> writer) {
    if (!StepForm.tellsAll(step)) {
      return writer.apply(step);
    }
    List<Integer> blocks = StepForm.blocks(step);
    StepForm form = StepForm.of(step, blocks);
    Written known = known(form);
    if (known != null) {
      return known.over(blocks);
    }
    List<KernelText.Written> kernels = writer.apply(step);
    keep(form, new Written(kernels, blocks));
    return kernels;
  }

  private synchronized @Nullable Written known(StepForm form) {
    return written.get(form);
  }

  private synchronized void keep(StepForm form, Written kernels) {
    written.put(form, kernels);
  }
}
