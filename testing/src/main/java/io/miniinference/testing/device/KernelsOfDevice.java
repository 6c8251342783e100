package io.miniinference.testing.device;

import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.support.ParameterInfo;

/// Has [UnoptimisedKernels] on [TestedDevice#GPU] alone.
final class KernelsOfDevice implements BeforeClassTemplateInvocationCallback {
  @Override
  public void beforeClassTemplateInvocation(ExtensionContext context) {
    ParameterInfo parameters = ParameterInfo.get(context);
    if (parameters == null) {
      throw new IllegalStateException(context.getDisplayName() + " has no device");
    }
    UnoptimisedKernels.set(parameters.getArguments().get(0) == TestedDevice.GPU);
  }
}
