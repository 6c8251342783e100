package io.miniinference.ir.text;

import io.miniinference.ir.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// An operator's attributes in the making as text: ` {key=value, …}`, or nothing if there are none.
final class AttributeText {
  private final List<String> parts = new ArrayList<>();

  AttributeText put(String key, Object value) {
    parts.add(key + "=" + value.toString().replace(" ", ""));
    return this;
  }

  AttributeText unless(Object usual, String key, Object value) {
    return usual.equals(value) ? this : put(key, value);
  }

  AttributeText window(Window window) {
    int rank = window.rank();
    return put("kernel", window.kernel())
        .unless(all(rank, 1), "strides", window.strides())
        .unless(all(rank, 1), "dilations", window.dilations())
        .unless(all(rank, 0), "padsBegin", window.padsBegin())
        .unless(all(rank, 0), "padsEnd", window.padsEnd());
  }

  static List<Integer> all(int rank, int value) {
    return Collections.nCopies(rank, value);
  }

  @Override
  public String toString() {
    return parts.isEmpty() ? "" : " {" + String.join(", ", parts) + "}";
  }
}
