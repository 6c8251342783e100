/// Core IR as text, written and read ([GraphText]): for tests, dumps and people.
@NullMarked
package io.miniinference.ir.text;

import org.jspecify.annotations.NullMarked;
