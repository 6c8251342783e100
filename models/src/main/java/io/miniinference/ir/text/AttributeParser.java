package io.miniinference.ir.text;

import io.miniinference.ir.ExprText;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the attributes that [AttributeText] writes. A key that is not asked for is an error.
final class AttributeParser {
  private final TextCursor in;
  private final int start;
  private final Map<String, List<String>> values = new HashMap<>();

  /// Reads ` {key=value, …}` if it is next.
  AttributeParser(TextCursor in) {
    this.in = in;
    this.start = in.position();
    if (!in.accept("{")) {
      return;
    }
    do {
      int keyStart = in.position();
      String key = in.word("an attribute");
      in.expect("=");
      List<String> value = in.lookingAt("[") ? list(in) : List.of(item(in));
      if (values.putIfAbsent(key, value) != null) {
        throw in.errorAt(keyStart, "'" + key + "' is given twice");
      }
    } while (in.accept(","));
    in.expect("}");
  }

  /// `[a, b, …]`.
  static List<String> list(TextCursor in) {
    List<String> result = new ArrayList<>();
    in.expect("[");
    if (in.accept("]")) {
      return result;
    }
    do {
      result.add(item(in));
    } while (in.accept(","));
    in.expect("]");
    return result;
  }

  private static String item(TextCursor in) {
    return in.run(c -> Character.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0, "a value");
  }

  List<Integer> integers(String key) {
    return each(key, Integer::valueOf);
  }

  List<Integer> integers(String key, List<Integer> usual) {
    return values.containsKey(key) ? integers(key) : usual;
  }

  List<Long> longs(String key, List<Long> usual) {
    return values.containsKey(key) ? each(key, Long::valueOf) : usual;
  }

  List<Affine> sizes(String key, List<Affine> usual) {
    return values.containsKey(key) ? each(key, Affine::parse) : usual;
  }

  Affine size(String key, Affine usual) {
    return values.containsKey(key) ? one(key, Affine::parse) : usual;
  }

  /// Names of constants of an enumeration, all of them where there is no such attribute.
  <E extends Enum<E>> List<E> names(String key, E[] all) {
    return names(key, all, List.of(all));
  }

  <E extends Enum<E>> List<E> names(String key, E[] all, List<E> usual) {
    return values.containsKey(key)
        ? each(key, name -> ExprText.byName(all, name).orElseThrow())
        : usual;
  }

  long whole(String key) {
    return one(key, Long::valueOf);
  }

  int integer(String key) {
    return one(key, Integer::valueOf);
  }

  int integer(String key, int usual) {
    return values.containsKey(key) ? integer(key) : usual;
  }

  double number(String key) {
    return one(key, Double::valueOf);
  }

  boolean flag(String key, boolean usual) {
    return values.containsKey(key) ? one(key, Boolean::valueOf) : usual;
  }

  <T> @Nullable T optional(String key, Function<String, T> read) {
    return values.containsKey(key) ? one(key, read) : null;
  }

  Window window() {
    List<Integer> kernel = integers("kernel");
    List<Integer> ones = AttributeText.all(kernel.size(), 1);
    List<Integer> zeros = AttributeText.all(kernel.size(), 0);
    return new Window(
        kernel,
        integers("strides", ones),
        integers("dilations", ones),
        integers("padsBegin", zeros),
        integers("padsEnd", zeros));
  }

  private <T> T one(String key, Function<String, T> read) {
    List<T> all = each(key, read);
    if (all.size() != 1) {
      throw in.errorAt(start, "'" + key + "' must be one value");
    }
    return all.getFirst();
  }

  private <T> List<T> each(String key, Function<String, T> read) {
    List<String> texts = values.get(key);
    if (texts == null) {
      throw in.errorAt(start, "'" + key + "' is missing");
    }
    asked.add(key);
    return in.attempt(start, () -> texts.stream().map(read).toList());
  }

  private final List<String> asked = new ArrayList<>();

  /// Ends reading: nothing may be left that was not asked for.
  void close() {
    for (String key : values.keySet()) {
      if (!asked.contains(key)) {
        throw in.errorAt(start, "'" + key + "' is no attribute of this operator");
      }
    }
  }
}
