/// Passes that find out what is known of a value without computing it: places that are numbered in
/// order, rows that are all alike, views of views that are one, and what is as well done before a
/// view, or in place of copies of parts.
@org.jspecify.annotations.NullMarked
package io.miniinference.pass.views;
