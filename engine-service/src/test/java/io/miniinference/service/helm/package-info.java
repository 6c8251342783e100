/// Tests of the chart, by Helm itself, and of what the chart and the image say to the service.
@NullMarked
package io.miniinference.service.helm;

import org.jspecify.annotations.NullMarked;
