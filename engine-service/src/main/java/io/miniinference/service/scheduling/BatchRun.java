package io.miniinference.service.scheduling;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch;
import io.miniinference.runtime.RequestBatch.Outcome;
import java.util.List;
import java.util.function.Supplier;

/// Runs requests together on a model and tells each what became of it.
///
/// @param device runs work on the device, or refuses it
/// @param executions hears of it
record BatchRun<T>(Model model, Gate device, Executions executions) {

  /// What lets work onto the device.
  interface Gate {
    <R> R onDevice(Supplier<R> work);
  }

  /// Runs tickets as one batch. Each is done afterwards; no failure leaves here.
  void run(List<Ticket<T>> tickets) {
    try {
      if (tickets.size() == 1) {
        alone(tickets.getFirst());
        report(tickets);
      } else if (together(tickets)) {
        report(tickets);
      } else {
        tickets.forEach(ticket -> run(List.of(ticket)));
      }
    } catch (RuntimeException e) {
      failAll(tickets, e);
    } catch (Error e) {
      failAll(tickets, new IllegalStateException("the batch failed", e));
      throw e;
    }
  }

  private void alone(Ticket<T> ticket) {
    var member = ticket.member();
    ticket.answer(device.onDevice(() -> model.infer(member.request(), member.reader())));
  }

  /* False, and nothing ran, where they do not run as one: the pool may have had more room a moment
  ago. Each alone runs then, or hears why it does not. */
  private boolean together(List<Ticket<T>> tickets) {
    try {
      var batch = RequestBatch.of(model, tickets.stream().map(Ticket::member).toList());
      answer(tickets, device.onDevice(batch::infer));
      return true;
    } catch (InvalidRequestException | LoadRefusedException e) {
      return false;
    }
  }

  private void answer(List<Ticket<T>> tickets, List<Outcome<T>> outcomes) {
    for (int i = 0; i < tickets.size(); i++) {
      switch (outcomes.get(i)) {
        case Outcome.Answered<T>(T value) -> tickets.get(i).answer(value);
        case Outcome.Failed<T> failed -> tickets.get(i).fail(failed.failure());
      }
    }
  }

  private void report(List<Ticket<T>> tickets) {
    int rows = tickets.stream().mapToInt(Ticket::rows).sum();
    RequestTimes first = tickets.getFirst().times();
    executions.ran(model, rows, RequestTimes.between(first, tickets.getLast().times()));
  }

  private void failAll(List<Ticket<T>> tickets, RuntimeException error) {
    tickets.stream()
        .filter(ticket -> ticket.state() != Ticket.State.DONE)
        .forEach(ticket -> ticket.fail(error));
  }
}
