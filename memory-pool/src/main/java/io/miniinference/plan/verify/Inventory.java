package io.miniinference.plan.verify;

import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The arrays of a program in numbers, so that what is asked of them at each batch size is looked
/// up and not found again: one per name in a block, and one per place in a block, that is, index
/// function and element size.
final class Inventory {
  private final IdentityHashMap<Array, Numbers> numbers = new IdentityHashMap<>();
  private final Map<Name, Integer> names = new HashMap<>();
  private final Map<Place, Integer> places = new HashMap<>();
  private final Map<Integer, List<Integer>> placesOfBlocks = new HashMap<>();
  private final List<Array> representatives = new ArrayList<>();

  private record Name(int block, String name) {}

  private record Place(int block, IndexFunction index, int elementBytes) {}

  private record Numbers(int name, int place) {}

  Inventory(Program program) {
    add(program.body());
  }

  private void add(Body body) {
    body.parameters().forEach(this::add);
    for (Step step : body.steps()) {
      step.reads().forEach(this::add);
      step.writes().forEach(this::add);
      step.bodies().forEach(this::add);
    }
    body.results().forEach(this::add);
  }

  private void add(Array array) {
    if (!numbers.containsKey(array)) {
      int block = array.block().id();
      Name name = new Name(block, array.name());
      Place place = new Place(block, array.index(), array.elementBytes());
      numbers.put(array, new Numbers(number(name, names), number(place, places)));
      if (places.size() > representatives.size()) {
        placesOfBlocks.computeIfAbsent(block, _ -> new ArrayList<>()).add(representatives.size());
        representatives.add(array);
      }
    }
  }

  private static <T> int number(T key, Map<T, Integer> known) {
    Integer number = known.putIfAbsent(key, known.size());
    return number == null ? known.size() - 1 : number;
  }

  private Numbers numbers(Array array) {
    return Objects.requireNonNull(numbers.get(array), "an array of the program");
  }

  /// The number of all arrays of its name in its block.
  int name(Array array) {
    return numbers(array).name;
  }

  int names() {
    return names.size();
  }

  /// The number of all arrays in its place in its block.
  int place(Array array) {
    return numbers(array).place;
  }

  int places() {
    return representatives.size();
  }

  /// One of the arrays in a place.
  Array at(int place) {
    return representatives.get(place);
  }

  /// The places in a block, from the one that is met first.
  List<Integer> places(int block) {
    return placesOfBlocks.getOrDefault(block, List.of());
  }
}
