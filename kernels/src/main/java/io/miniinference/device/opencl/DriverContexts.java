package io.miniinference.device.opencl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jocl.CL;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;

/// The driver's contexts: one for each device that is opened, but on PoCL one for all that are
/// opened in this process, one after the other or side by side.
///
/// PoCL reads its library of functions, 10 MB, when a context first compiles, and frees it with the
/// context: half a second each time that a device is opened, for memory that the process keeps
/// anyway. Buffers, programs and queues belong to whoever made them; only the compiler is shared,
/// which takes one program at a time ([OpenClProgram#COMPILER]).
final class DriverContexts {
  private static final Map<List<cl_device_id>, cl_context> KEPT = new HashMap<>();

  private DriverContexts() {}

  /// A context over the devices of a target, to be closed once.
  static synchronized cl_context open(OpenClTarget target) {
    if (!target.isPocl()) {
      return create(target);
    }
    cl_context kept = KEPT.computeIfAbsent(target.devices(), _ -> create(target));
    Cl.check(CL.clRetainContext(kept), "clRetainContext");
    return kept;
  }

  private static cl_context create(OpenClTarget target) {
    cl_device_id[] devices = target.devices().toArray(cl_device_id[]::new);
    cl_context_properties properties = new cl_context_properties();
    properties.addProperty(CL.CL_CONTEXT_PLATFORM, target.platform());
    int[] code = {0};
    cl_context context = CL.clCreateContext(properties, devices.length, devices, null, null, code);
    Cl.check(code[0], "clCreateContext");
    return context;
  }

  /// Has devices that are opened from now on get a context of their own, since this one failed.
  /// Those that have it open keep it.
  static synchronized void forget(cl_context context) {
    if (KEPT.values().remove(context)) {
      close(context);
    }
  }

  /// Gives a context back; the driver frees it when nobody has it.
  static void close(cl_context context) {
    CL.clReleaseContext(context);
  }
}
