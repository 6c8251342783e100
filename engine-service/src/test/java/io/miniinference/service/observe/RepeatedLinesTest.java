package io.miniinference.service.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class RepeatedLinesTest {
  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final AtomicLong clock = new AtomicLong();

  @BeforeEach
  void listen() {
    context.addTurboFilter(new RepeatedLines(clock::get));
    written.start();
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(written);
  }

  private void write(String logger, int lines) {
    for (int i = 0; i < lines; i++) {
      context.getLogger(logger).warn("line {}", i);
    }
  }

  @Test
  void ofWhatClientsCauseTenLinesAMinuteAreWritten() {
    write("org.apache.coyote.http11.Http11Processor", 25);
    write("io.miniinference.service.serving.Failure", 25);
    assertThat(written.list).hasSize(2 * RepeatedLines.MOST);
  }

  @Test
  void ofWhatTheServiceDoesByItselfAllAre() {
    write("io.miniinference.service.catalog.ModelLoads", 25);
    assertThat(written.list).hasSize(25);
  }

  @Test
  void whatWasLeftOutIsSaidAMinuteLater() {
    ListAppender<ILoggingEvent> own = new ListAppender<>();
    own.start();
    Logger logger = (Logger) LoggerFactory.getLogger(RepeatedLines.class);
    logger.addAppender(own);
    try {
      write("io.grpc.internal.ServerImpl", 25);
      clock.addAndGet(RepeatedLines.MINUTE_NANOS);
      write("io.grpc.internal.ServerImpl", 1);
    } finally {
      logger.detachAppender(own);
    }
    assertThat(written.list).hasSize(RepeatedLines.MOST + 1);
    assertThat(own.list)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .isEqualTo("15 lines of io.grpc.internal.ServerImpl were left out: it writes 10 a minute");
  }
}
