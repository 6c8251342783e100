/// Matrix products in tiles, and where their panels come from: plain matrices, images of a
/// convolution, gathered rows ([TiledProduct]).
@NullMarked
package io.miniinference.codegen.gpu.tile;

import org.jspecify.annotations.NullMarked;
