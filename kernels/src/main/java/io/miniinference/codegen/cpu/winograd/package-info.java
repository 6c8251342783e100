/// Convolutions 3×3 in Winograd's form, F(2×2, 3×3) and F(4×4, 3×3): the numbers of its transforms,
/// the packed filters, and where it is worth it.
@org.jspecify.annotations.NullMarked
package io.miniinference.codegen.cpu.winograd;
