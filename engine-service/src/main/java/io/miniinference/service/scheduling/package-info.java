/// When a request runs, and with which others: a queue per model that packs requests whose rows are
/// apart into batches while the device is busy.
@NullMarked
package io.miniinference.service.scheduling;

import org.jspecify.annotations.NullMarked;
