package io.miniinference.onnx;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A list in which the problems of one model gather, so that they are reported together.
public final class Problems {
  private static final int MOST = 1000;

  private final String subject;
  private final Set<Problem> found = new LinkedHashSet<>();
  private long opset;

  /// @param subject the model as a user knows it: a file name or a model name
  public Problems(String subject) {
    this.subject = subject;
  }

  public String subject() {
    return subject;
  }

  /// Notes the default domain's opset, which the report then names.
  public void opset(long version) {
    opset = version;
  }

  /// Adds a problem, unless it is known already.
  public void add(Problem problem) {
    if (found.size() < MOST) {
      found.add(problem);
    } else {
      found.add(Problem.of("has further problems, which are not listed"));
    }
  }

  public void add(String where, String what) {
    add(new Problem(where, what));
  }

  /// Takes over the problems of a part that was read on its own.
  public void addAll(ModelException part) {
    part.problems().forEach(this::add);
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  public List<Problem> found() {
    return List.copyOf(found);
  }

  /// Throws what was found, if anything was.
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw exception();
    }
  }

  /// The report of what was found so far.
  public ModelException exception() {
    return new ModelException(subject, opset, found());
  }
}
