/// A best-fit pool over one fixed range of memory, and the planner of what lies where in it. Knows
/// nothing of models or devices.
module io.miniinference.memorypool {
  requires static org.jspecify;

  exports io.miniinference.budget;
  exports io.miniinference.layout;
  exports io.miniinference.plan;
  exports io.miniinference.plan.certificate;
  exports io.miniinference.plan.packing;
  exports io.miniinference.plan.planner;
  exports io.miniinference.plan.verify;
  exports io.miniinference.pool;
}
