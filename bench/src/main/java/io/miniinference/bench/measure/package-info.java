/// How figures are taken: samples, their spread, and ratios over slices that alternate.
@NullMarked
package io.miniinference.bench.measure;

import org.jspecify.annotations.NullMarked;
