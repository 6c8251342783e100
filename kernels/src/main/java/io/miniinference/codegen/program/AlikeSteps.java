package io.miniinference.codegen.program;

import io.miniinference.codegen.KernelText;
import io.miniinference.lower.LoweredStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Writes the kernels of a program's steps, those of steps that are alike ([StepForm]) once: the
/// layers of a model mostly are. What differs is the blocks that their launches are given.
final class AlikeSteps {
  private final Map<StepForm, Written> written = new HashMap<>();

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
    Written known = written.get(form);
    if (known != null) {
      return known.over(blocks);
    }
    List<KernelText.Written> kernels = writer.apply(step);
    written.put(form, new Written(kernels, blocks));
    return kernels;
  }
}
