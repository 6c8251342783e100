/// Tests.
@NullMarked
package io.miniinference.plan.coalesce;

import org.jspecify.annotations.NullMarked;
