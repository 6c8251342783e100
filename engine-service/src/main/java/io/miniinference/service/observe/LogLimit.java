package io.miniinference.service.observe;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/// Has [RepeatedLines] look at the service's log, where that is Logback's.
@Component
final class LogLimit implements DisposableBean {
  private final RepeatedLines lines = new RepeatedLines(System::nanoTime);

  LogLimit() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.addTurboFilter(lines);
    }
  }

  @Override
  public void destroy() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getTurboFilterList().remove(lines);
    }
  }
}
