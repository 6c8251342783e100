package io.miniinference.onnx;

import java.util.List;

/// A model (or a tensor file) that cannot be used, with all that is wrong with it.
public class ModelException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int SHOWN = 100;

  private final String subject;
  private final long opset;
  private final transient List<Problem> problems;

  /// @param subject the model as a user knows it: a file name or a model name
  /// @param opset version of the default operator set, or 0 where it is not known
  public ModelException(String subject, long opset, List<Problem> problems) {
    super(message(subject, opset, problems));
    this.subject = subject;
    this.opset = opset;
    this.problems = List.copyOf(problems);
  }

  /// A report of one problem.
  public ModelException(String subject, Problem problem) {
    this(subject, 0, List.of(problem));
  }

  public String subject() {
    return subject;
  }

  /// Version of the default operator set, or 0 where it is not known.
  public long opset() {
    return opset;
  }

  public List<Problem> problems() {
    return problems;
  }

  private static String message(String subject, long opset, List<Problem> problems) {
    var text = new StringBuilder();
    text.append(problems.size()).append(problems.size() == 1 ? " problem in " : " problems in ");
    text.append(Quote.of(subject));
    if (opset > 0) {
      text.append(" (opset ").append(opset).append(')');
    }
    text.append(':');
    problems.stream().limit(SHOWN).forEach(problem -> text.append("\n- ").append(problem));
    if (problems.size() > SHOWN) {
      text.append("\n- and ").append(problems.size() - SHOWN).append(" more");
    }
    return text.toString();
  }
}
