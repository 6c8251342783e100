package io.miniinference.testing.device;

import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.support.ParameterInfo;
import org.junit.platform.commons.support.AnnotationSupport;

/// Has [UnoptimisedKernels] on [TestedDevice#GPU], and wherever a class asks for them.
final class KernelsOfDevice implements BeforeClassTemplateInvocationCallback {
  @Override
  public void beforeClassTemplateInvocation(ExtensionContext context) {
    ParameterInfo parameters = ParameterInfo.get(context);
    if (parameters == null) {
      throw new IllegalStateException(context.getDisplayName() + " has no device");
    }
    boolean isForGpus = parameters.getArguments().get(0) == TestedDevice.GPU;
    UnoptimisedKernels.set(isForGpus || !isOptimised(context));
  }

  private static boolean isOptimised(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), OnEachDevice.class)
        .map(OnEachDevice::optimised)
        .orElse(true);
  }
}
