/// What a suite is and is told, how figures are taken (samples, their spread, and ratios over
/// slices that alternate), and how they are shown: as JSON that a script compares, and as tables.
@NullMarked
package io.miniinference.bench.measure;

import org.jspecify.annotations.NullMarked;
