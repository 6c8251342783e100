package io.miniinference.ops.text;

import io.miniinference.ops.draft.LoweringFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// N-grams of one size as a tree: a gram is found token by token, each step a search for the place
/// of what was found so far together with the next token.
///
/// A token is its place among all tokens of the pool, their count `tokens` being none of them. What
/// is found after the first token is the token; after a later one it is the place of a key, `found
/// · (tokens + 1) + token`, in the list of that step.
///
/// @param size tokens of a gram
/// @param keys lists of keys for the second token, the third and so on
/// @param columns the column of what is found in the end, `none` behind the last
record Grams(int size, List<long[]> keys, long[] columns) {

  /// The grams of a size.
  ///
  /// @param pool tokens of the grams, one gram behind the other
  /// @param columns of the grams
  /// @param tokens how many different tokens there are
  /// @param none the column of what is no gram
  static Grams of(int size, long[] pool, long[] columns, long tokens, long none) {
    long[] found = new long[columns.length];
    Arrays.setAll(found, i -> pool[i * size]);
    long places = tokens;
    List<long[]> keys = new ArrayList<>();
    for (int k = 1; k < size; k++) {
      Map<Long, Integer> known = new HashMap<>();
      for (int i = 0; i < found.length; i++) {
        long key = key(found[i], tokens, pool[i * size + k]);
        found[i] = known.computeIfAbsent(key, _ -> known.size());
      }
      long[] list = new long[known.size()];
      known.forEach((key, place) -> list[place] = key);
      keys.add(list);
      places = list.length;
    }
    return new Grams(size, keys, columns(found, columns, places, none));
  }

  private static long key(long found, long tokens, long token) {
    try {
      return Math.addExact(Math.multiplyExact(found, tokens + 1), token);
    } catch (ArithmeticException e) {
      throw LoweringFault.of("has too many n-grams");
    }
  }

  private static long[] columns(long[] found, long[] columns, long places, long none) {
    long[] all = new long[Math.toIntExact(places + 1)];
    Arrays.fill(all, none);
    for (int i = found.length - 1; i >= 0; i--) {
      all[(int) found[i]] = columns[i];
    }
    return all;
  }
}
