/// Passes that find out what is known of a value without computing it: places that are numbered in
/// order, rows that are all alike, and views of views that are one.
@org.jspecify.annotations.NullMarked
package io.miniinference.pass.views;
