/// Merges: values that are built where they are wanted, so that copies go and blocks share bytes.
/// `Merger` is where to start reading, [io.miniinference.plan.coalesce.Safety] has the conditions.
@NullMarked
package io.miniinference.plan.coalesce;

import org.jspecify.annotations.NullMarked;
