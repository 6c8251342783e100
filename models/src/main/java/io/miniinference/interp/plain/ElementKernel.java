package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.plain.Epilogue.Emitter;
import io.miniinference.ir.Tensor;

/// An operator computed index by index.
///
/// @param items number of leading output axes that number the work items; −1 for all of them
record ElementKernel(Producer.Factory factory, Epilogue epilogue, int items) implements OpKernel {

  @Override
  public void run(Task task) {
    Emitter emitter = epilogue.bind(task);
    Cursor cursor = emitter.cursor;
    Producer producer = factory.bind(task);
    long each = elementsPerItem(cursor.shape);
    cursor.moveTo(task.first() * each);
    for (long i = task.count() * each; i > 0; i--) {
      producer.produce(cursor);
      cursor.real = Numbers.round(epilogue.result(), cursor.real);
      cursor.whole = Numbers.wrap(epilogue.result(), cursor.whole);
      emitter.emit();
      cursor.next();
    }
  }

  private long elementsPerItem(long[] shape) {
    if (items < 0) {
      return 1;
    }
    return Tensor.elements(java.util.Arrays.copyOfRange(shape, items, shape.length));
  }
}
