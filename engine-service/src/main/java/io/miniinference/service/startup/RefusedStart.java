package io.miniinference.service.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/// Tells why the service did not start, in one message that comes last: what is wrong, then what to
/// do. It takes the words of Spring's failure analyzers, ours among them, and the place of Spring's
/// own report, which spreads them over a banner and two headings. What no analyzer knows is a
/// defect, and is told with where it is.
final class RefusedStart implements SpringBootExceptionReporter {
  private static final Logger LOG = LoggerFactory.getLogger("mie");

  private static final String OWN = "io.miniinference.";

  /// Lines of an analysis that still read well as one.
  private static final int SHORT = 2;

  private final List<FailureAnalyzer> analyzers;

  /// @param context null if the start ended before there was one
  RefusedStart(@Nullable ConfigurableApplicationContext context) {
    analyzers =
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(
                FailureAnalyzer.class,
                arguments(context),
                FailureHandler.handleMessage((_, _) -> {}));
  }

  private static @Nullable ArgumentResolver arguments(
      @Nullable ConfigurableApplicationContext context) {
    return context == null
        ? null
        : ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
            .and(Environment.class, context.getEnvironment());
  }

  @Override
  public boolean reportException(Throwable failure) {
    FailureAnalysis analysis = analysis(failure);
    if (analysis == null && isDefect(failure)) {
      LOG.error("the start ended here", failure);
      LOG.error("not started: defect of the engine: {}", reasons(failure));
    } else {
      LOG.debug("the start ended here", failure);
      LOG.error("not started: {}", analysis == null ? unknown(failure) : message(analysis));
    }
    return true;
  }

  /* Other failures begin where a library met what it was given: a file, an address, a certificate. */
  private static boolean isDefect(Throwable failure) {
    Throwable first = NestedExceptionUtils.getMostSpecificCause(failure);
    StackTraceElement[] place = first.getStackTrace();
    return first instanceof Error
        || first instanceof NullPointerException
        || first instanceof ClassCastException
        || first instanceof IndexOutOfBoundsException
        || place.length > 0 && place[0].getClassName().startsWith(OWN);
  }

  private static String unknown(Throwable failure) {
    return reasons(failure) + " (--logging.level.mie=debug shows where)";
  }

  /// What each failure of a chain says, the first reason last.
  static String reasons(Throwable failure) {
    List<String> reasons = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String reason = String.valueOf(cause.getMessage());
      if (reasons.stream().noneMatch(told -> told.contains(reason))) {
        reasons.add(reason);
      }
    }
    return String.join(": ", reasons);
  }

  private @Nullable FailureAnalysis analysis(Throwable failure) {
    return analyzers.stream()
        .map(analyzer -> analysis(analyzer, failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /* An analyzer may need what the start has not come to. */
  private static @Nullable FailureAnalysis analysis(FailureAnalyzer analyzer, Throwable failure) {
    try {
      return analyzer.analyze(failure);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("the failure analyzer {} failed", analyzer, e);
      return null;
    }
  }

  /// An analysis as one text, of one line where it is short.
  static String message(FailureAnalysis analysis) {
    List<String> lines =
        Stream.of(analysis.getDescription(), analysis.getAction())
            .filter(Objects::nonNull)
            .flatMap(String::lines)
            .filter(line -> !line.isBlank())
            .toList();
    return lines.size() > SHORT ? String.join("\n", lines) : sentences(lines);
  }

  private static String sentences(List<String> lines) {
    String first = lines.getFirst();
    return first.endsWith(":") && lines.size() > 1
        ? first + " " + lines.getLast().strip().replaceFirst("^- ", "")
        : String.join(first.endsWith(".") ? " " : ". ", lines);
  }
}
