package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Op;
import java.util.PriorityQueue;

/// NonMaxSuppression: a work item is a class of an image. Its candidates leave a heap from the best
/// on, and each is held against those chosen before.
record NonMaxSuppressionKernel(Op.NonMaxSuppression op) implements OpKernel {

  @Override
  public void run(Task task) {
    Lines rows = new Lines(task.operand(0).shape(), op.rowAxes());
    for (long item = task.first(); item < task.first() + task.count(); item++) {
      choose(task, rows.start(item));
    }
  }

  private void choose(Task task, long[] row) {
    PriorityQueue<Candidate> candidates = candidates(task, row);
    float most = (float) task.operand(2).realAt(task.operand(2).offset());
    Box[] chosen = new Box[(int) Math.min(op.k(), candidates.size())];
    int count = 0;
    while (count < chosen.length && !candidates.isEmpty()) {
      int place = candidates.remove().place;
      Box box = box(task.operand(1), row[0], place);
      if (isApart(box, chosen, count, most)) {
        chosen[count] = box;
        store(task.output(), row, count++, place);
      }
    }
    for (long i = count; i < op.k(); i++) {
      store(task.output(), row, i, Op.NonMaxSuppression.NONE);
    }
  }

  private static PriorityQueue<Candidate> candidates(Task task, long[] row) {
    TensorView scores = task.operand(0);
    boolean bounded = task.operands().size() > Op.NonMaxSuppression.SCORE;
    TensorView given = task.operand(bounded ? Op.NonMaxSuppression.SCORE : 2);
    double least = given.realAt(given.offset());
    PriorityQueue<Candidate> candidates = new PriorityQueue<>();
    Strides strides = scores.strides();
    long base = strides.offset(row);
    for (int place = 0; place < scores.dim(2); place++) {
      double score = scores.realAt(base + strides.along(2, place));
      if (bounded ? score > least : !Double.isNaN(score)) {
        candidates.add(new Candidate(score + 0.0, place)); // −0 is 0
      }
    }
    return candidates;
  }

  private static void store(TensorView y, long[] row, long i, long place) {
    y.wholeAt(y.offset(row[0], row[1], i), place);
  }

  private static boolean isApart(Box box, Box[] chosen, int count, float most) {
    for (int i = 0; i < count; i++) {
      if (box.overlap(chosen[i]) > most) {
        return false;
      }
    }
    return true;
  }

  private Box box(TensorView boxes, long image, long place) {
    float[] x = new float[4];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) boxes.realAt(boxes.offset(image, place, i));
    }
    return op.centered() ? Box.around(x) : Box.between(x);
  }

  private record Candidate(double score, int place) implements Comparable<Candidate> {
    @Override
    public int compareTo(Candidate other) {
      int order = Double.compare(other.score, score);
      return order == 0 ? Integer.compare(place, other.place) : order;
    }
  }

  /// An area along two axes.
  private record Box(float low0, float low1, float high0, float high1) {

    /* Corners in any order. */
    static Box between(float[] x) {
      return new Box(
          x[0] >= x[2] ? x[2] : x[0],
          x[1] >= x[3] ? x[3] : x[1],
          x[0] >= x[2] ? x[0] : x[2],
          x[1] >= x[3] ? x[1] : x[3]);
    }

    static Box around(float[] x) {
      float half0 = x[2] / 2;
      float half1 = x[3] / 2;
      return new Box(x[0] - half0, x[1] - half1, x[0] + half0, x[1] + half1);
    }

    private float area() {
      return (high0 - low0) * (high1 - low1);
    }

    /* −1 where one of the areas is none, whatever may be asked of an overlap. */
    float overlap(Box other) {
      float width = Math.min(high0, other.high0) - Math.max(low0, other.low0);
      float height = Math.min(high1, other.high1) - Math.max(low1, other.low1);
      float common = width * height;
      float both = area() + other.area() - common;
      boolean none =
          !(width > 0 && height > 0 && common > 0 && area() > 0 && other.area() > 0 && both > 0);
      return none ? Float.NEGATIVE_INFINITY : common / both;
    }
  }
}
