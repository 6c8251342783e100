package io.miniinference.spring.names;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.unit.DataSize;

/// The names of properties that a record binds, as a tree of their elements.
sealed interface KnownNames {

  /// A value; nothing is below it.
  record Value() implements KnownNames {}

  /// Values that are told apart by numbers, by keys of any form, or by what another than a record
  /// binds.
  record Values() implements KnownNames {}

  /// One of some names follows, in kebab case.
  record Group(Map<String, KnownNames> children) implements KnownNames {
    private boolean hasChild(List<String> elements, int words, boolean areWordsSplit) {
      String wanted = uniform(String.join("", elements.subList(0, words)));
      return children.entrySet().stream()
          .filter(child -> uniform(child.getKey()).equals(wanted))
          .anyMatch(child -> child.getValue().has(rest(elements, words), areWordsSplit));
    }

    private static String uniform(String element) {
      return element.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
  }

  /// Any name follows, such as a model's.
  record AnyName(KnownNames below) implements KnownNames {}

  /// The names below a type that is bound.
  static KnownNames of(Type type) {
    return switch (type) {
      case Class<?> c when c.isRecord() -> group(c);
      case Class<?> c when isValue(c) -> new Value();
      case ParameterizedType p when p.getRawType() == Map.class -> map(p);
      default -> new Values();
    };
  }

  private static boolean isValue(Class<?> type) {
    return BeanUtils.isSimpleValueType(type) || type == DataSize.class || type == Duration.class;
  }

  private static Group group(Class<?> type) {
    Map<String, KnownNames> children = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      children.put(
          DataObjectPropertyName.toDashedForm(component.getName()), of(component.getGenericType()));
    }
    return new Group(children);
  }

  private static KnownNames map(ParameterizedType type) {
    KnownNames below = of(type.getActualTypeArguments()[1]);
    return below instanceof Value ? new Values() : new AnyName(below);
  }

  /// Whether a name is known.
  ///
  /// @param elements of the name that are left
  /// @param areWordsSplit whether `max-size` may come as `max`, `size`, as from the environment
  default boolean has(List<String> elements, boolean areWordsSplit) {
    return switch (this) {
      case Value _ -> elements.isEmpty();
      case Values _ -> true;
      case AnyName any -> elements.size() > 1 && any.below.has(rest(elements, 1), areWordsSplit);
      case Group group ->
          IntStream.rangeClosed(1, areWordsSplit ? elements.size() : Math.min(1, elements.size()))
              .anyMatch(words -> group.hasChild(elements, words, areWordsSplit));
    };
  }

  /// Whether names follow this one: it is of a group, or of what any name may follow.
  ///
  /// @param elements of the name that are left
  default boolean isAbove(List<String> elements) {
    return switch (this) {
      case Value _, Values _ -> false;
      case AnyName any -> elements.isEmpty() || any.below.isAbove(rest(elements, 1));
      case Group group ->
          elements.isEmpty()
              || group.children.entrySet().stream()
                  .anyMatch(child ->
                      Group.uniform(child.getKey()).equals(Group.uniform(elements.getFirst()))
                          && child.getValue().isAbove(rest(elements, 1)));
    };
  }

  private static List<String> rest(List<String> elements, int from) {
    return elements.subList(from, elements.size());
  }

  /// All names in full.
  ///
  /// @param prefix the elements above
  /// @param given the name for which they are meant, whose elements stand where any name may
  default List<String> all(String prefix, List<String> given) {
    return switch (this) {
      case Value _, Values _ -> List.of(prefix);
      case AnyName any -> any.below.all(prefix + "." + at(prefix, given), given);
      case Group group -> {
        List<String> names = new ArrayList<>();
        group.children.forEach(
            (name, child) -> names.addAll(child.all(prefix + "." + name, given)));
        yield names;
      }
    };
  }

  private static String at(String prefix, List<String> given) {
    int depth = (int) prefix.chars().filter(c -> c == '.').count() + 1;
    return depth < given.size() ? given.get(depth) : "NAME";
  }
}
