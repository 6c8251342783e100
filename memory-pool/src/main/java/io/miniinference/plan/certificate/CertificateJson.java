package io.miniinference.plan.certificate;

import io.miniinference.plan.Array;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The fields of `plan --json`, as one line.
final class CertificateJson {
  private final Certificate certificate;
  private final StringBuilder out = new StringBuilder();

  CertificateJson(Certificate certificate) {
    this.certificate = certificate;
  }

  String json() {
    PlanHeader d = certificate.deployment();
    out.append('{');
    field("model", d.model());
    field("device", d.device());
    field("batch", certificate.batch());
    field("naiveBytes", certificate.naiveBytes());
    field("plannedBytes", certificate.plannedBytes());
    field("lowerBoundBytes", certificate.lowerBoundBytes());
    field("placementBoundBytes", certificate.placementBoundBytes());
    field("failureBytes", certificate.failureBytes());
    field("weightBytes", d.weightBytes());
    field("reservedBytes", d.reservedBytes());
    field("copies", certificate.copies());
    field("conversions", certificate.conversions());
    field("launches", d.launches());
    field("hostSyncs", d.hostSyncs());
    raw("planningMillis", String.format(Locale.ROOT, "%.3f", d.planningMillis()));
    list("steps", certificate.plan().lifetimes().steps(), timed -> step(timed.step()));
    list("tensors", certificate.tensors(), this::tensor);
    list("refused", certificate.plan().refused(), this::refused);
    return out.append('}').toString();
  }

  private void step(Step step) {
    field("step", step.number());
    field("name", step.name());
    field("op", step.op());
    Step.Kind kind = certificate.kind(step);
    field("kind", kind.name().toLowerCase(Locale.ROOT));
    names("reads", step.reads());
    names("writes", step.writes());
    Step made = step.with(kind, step.bodies());
    field("bytes", Certificate.movedBytes(made, certificate.batch()));
  }

  private void tensor(TensorUse tensor) {
    field("name", tensor.array().name());
    field("bytes", tensor.bytes());
    field("offset", tensor.offsetBytes());
    field("firstUse", number(tensor.use().first()));
    field("lastUse", number(tensor.use().last()));
    field("aliasOf", tensor.aliasOf());
  }

  /* Inputs are there from the first step on, results until the last. */
  private int number(int tick) {
    return certificate.plan().lifetimes().stepNumber(Math.max(0, tick));
  }

  private void refused(RefusedMerge merge) {
    field("merge", merge.source().name() + " -> " + merge.destination().name());
    field("condition", merge.condition().name());
  }

  private void names(String name, List<Array> arrays) {
    key(name);
    out.append('[');
    for (Array array : arrays) {
      separate();
      quote(array.name());
    }
    out.append(']');
  }

  private <T> void list(String name, List<T> items, Consumer<T> item) {
    key(name);
    out.append('[');
    for (T each : items) {
      separate();
      out.append('{');
      item.accept(each);
      out.append('}');
    }
    out.append(']');
  }

  private void field(String name, @Nullable String value) {
    key(name);
    if (value == null) {
      out.append("null");
    } else {
      quote(value);
    }
  }

  private void field(String name, long value) {
    raw(name, Long.toString(value));
  }

  private void raw(String name, String value) {
    key(name);
    out.append(value);
  }

  private void key(String name) {
    separate();
    quote(name);
    out.append(':');
  }

  private void separate() {
    char last = out.charAt(out.length() - 1);
    if (last != '{' && last != '[') {
      out.append(',');
    }
  }

  private void quote(String text) {
    out.append('"');
    text.chars().forEach(c -> escape((char) c));
    out.append('"');
  }

  private void escape(char c) {
    if (c == '"' || c == '\\') {
      out.append('\\').append(c);
    } else if (c < ' ' || Character.isSurrogate(c) || c == 0x2028 || c == 0x2029) {
      out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
    } else {
      out.append(c);
    }
  }
}
