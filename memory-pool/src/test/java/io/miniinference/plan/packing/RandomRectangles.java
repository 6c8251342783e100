package io.miniinference.plan.packing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Random instances for tests.
final class RandomRectangles {
  private RandomRectangles() {}

  /// Anything: any lifetimes, any sizes from 0 up.
  static List<Rectangle> loose(Random random) {
    List<Rectangle> rectangles = new ArrayList<>();
    int ticks = 1 + random.nextInt(30);
    for (int i = random.nextInt(40); i > 0; i--) {
      int lower = random.nextInt(ticks);
      int upper = lower + 1 + random.nextInt(random.nextBoolean() ? 3 : ticks);
      rectangles.add(new Rectangle(lower, upper, random.nextInt(50)));
    }
    return rectangles;
  }

  /// Every byte of `capacity` is wanted at every tick: some of what is live ends, and what starts
  /// takes just as much, in other pieces. Whether it can be packed that low is another question.
  static List<Rectangle> full(Random random, int count, int capacity) {
    List<Rectangle> done = new ArrayList<>();
    List<Rectangle> live = new ArrayList<>(pieces(random, capacity, 5, 0));
    long tick = 0;
    while (done.size() + live.size() < count) {
      tick++;
      long freed = 0;
      Collections.shuffle(live, random);
      for (int ends = 1 + random.nextInt(Math.min(3, live.size())); ends > 0; ends--) {
        Rectangle ended = live.removeLast();
        freed += ended.sizeBytes();
        done.add(until(ended, tick));
      }
      live.addAll(pieces(random, freed, 1 + random.nextInt(3), tick));
    }
    for (Rectangle rectangle : live) {
      done.add(until(rectangle, tick + 1));
    }
    return done;
  }

  /// Cut from one rectangle of `capacity` bytes, so that it can be packed into that without a gap.
  static List<Rectangle> cut(Random random, int count, int capacity) {
    List<Rectangle> rectangles = new ArrayList<>(List.of(new Rectangle(0, 1 << 20, capacity)));
    while (rectangles.size() < count) {
      Rectangle whole = rectangles.remove(random.nextInt(rectangles.size()));
      if (random.nextBoolean() && whole.sizeBytes() > 1) {
        long below = 1 + random.nextLong(whole.sizeBytes() - 1);
        rectangles.add(new Rectangle(whole.lower(), whole.upper(), below));
        rectangles.add(new Rectangle(whole.lower(), whole.upper(), whole.sizeBytes() - below));
      } else if (whole.upper() - whole.lower() > 1) {
        long middle = random.nextLong(whole.lower() + 1, whole.upper());
        rectangles.add(new Rectangle(whole.lower(), middle, whole.sizeBytes()));
        rectangles.add(new Rectangle(middle, whole.upper(), whole.sizeBytes()));
      } else {
        rectangles.add(whole);
      }
    }
    return rectangles;
  }

  private static List<Rectangle> pieces(Random random, long bytes, int most, long tick) {
    List<Rectangle> pieces = new ArrayList<>();
    long left = bytes;
    while (left > 1 && pieces.size() < most - 1) {
      long piece = 1 + random.nextLong(left - 1);
      pieces.add(new Rectangle(tick, tick + 1, piece));
      left -= piece;
    }
    pieces.add(new Rectangle(tick, tick + 1, left));
    return pieces;
  }

  private static Rectangle until(Rectangle rectangle, long upper) {
    return new Rectangle(rectangle.lower(), upper, rectangle.sizeBytes());
  }
}
