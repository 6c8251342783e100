package io.miniinference.service.settings;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.miniinference.onnx.Quote;
import io.miniinference.service.settings.TextMessage.Nested;
import io.miniinference.service.settings.TextMessage.Scalar;
import io.miniinference.service.settings.TextMessage.Value;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

/// A configuration held against Triton's schema, and read by it, whether or not its fields do
/// something here.
final class ConfigMessage {
  /* What protobuf's text form takes for a truth value. */
  private static final Set<String> TRUE = Set.of("true", "True", "t", "1");
  private static final Set<String> FALSE = Set.of("false", "False", "f", "0");

  private ConfigMessage() {}

  /// Refuses a field that Triton does not have, here or in a message within, with the nearest one.
  ///
  /// @throws IllegalArgumentException if there is one
  static void checkNames(TextMessage config) {
    checkNames(ModelConfig.getDescriptor(), config, "");
  }

  private static void checkNames(Descriptor schema, TextMessage message, String path) {
    message
        .fields()
        .forEach((name, values) -> {
          FieldDescriptor field = schema.findFieldByName(name);
          if (field == null) {
            throw unknown(schema, name, path);
          }
          for (Value value : values) {
            if (value instanceof Nested(TextMessage inner) && isMessage(field)) {
              checkNames(field.getMessageType(), inner, path + name + ".");
            }
          }
        });
  }

  private static IllegalArgumentException unknown(Descriptor schema, String name, String path) {
    List<String> known = schema.getFields().stream().map(FieldDescriptor::getName).toList();
    return new IllegalArgumentException(
        "%s is no field of a model configuration; %s"
            .formatted(Quote.of(path + name), Nearest.to(name, known, path)));
  }

  private static boolean isMessage(FieldDescriptor field) {
    return field.getJavaType() == JavaType.MESSAGE;
  }

  private static boolean isText(FieldDescriptor field) {
    return field.getJavaType() == JavaType.STRING;
  }

  /// Reads a configuration whose names are checked.
  ///
  /// @throws IllegalArgumentException if a value is none of its field
  static ModelConfig of(TextMessage config) {
    ModelConfig.Builder message = ModelConfig.newBuilder();
    fill(message, config, "");
    return message.build();
  }

  private static void fill(Message.Builder message, TextMessage text, String path) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      List<Value> values = text.fields().getOrDefault(field.getName(), List.of());
      if (values.size() > 1 && !field.isRepeated()) {
        throw new IllegalArgumentException(
            "%s is set %d times: leave one"
                .formatted(Quote.of(path + field.getName()), values.size()));
      }
      for (Value value : values) {
        Object read = value(message, field, value, path + field.getName());
        if (field.isRepeated()) {
          message.addRepeatedField(field, read);
        } else {
          message.setField(field, read);
        }
      }
    }
  }

  private static Object value(
      Message.Builder owner, FieldDescriptor field, Value value, String path) {
    return switch (value) {
      case Nested(TextMessage inner) when isMessage(field) -> {
        Message.Builder message = owner.newBuilderForField(field);
        fill(message, inner, path + ".");
        yield message.build();
      }
      case Nested _ -> throw wrong(path, "a message", "a value");
      case Scalar(String text, _) when isMessage(field) ->
          throw wrong(path, Quote.of(text), "a message");
      case Scalar(String text, boolean isQuoted) when isQuoted && !isText(field) ->
          throw wrong(path, "the text \"" + text + '"', "a value without quotes");
      case Scalar(String text, _) -> scalar(field, text, path);
    };
  }

  private static Object scalar(FieldDescriptor field, String text, String path) {
    return switch (field.getType()) {
      case STRING -> text;
      case BOOL -> truth(text, path);
      case ENUM -> constant(field.getEnumType(), text, path);
      case INT32 -> (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE, path);
      case UINT32 -> (int) whole(text, 0, 0xFFFF_FFFFL, path);
      case INT64 -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE, path);
      case UINT64 -> whole(text, 0, Long.MAX_VALUE, path);
      case FLOAT -> (float) number(text, path);
      case DOUBLE -> number(text, path);
      default -> throw new IllegalStateException("no configuration has a " + field.getType());
    };
  }

  private static boolean truth(String text, String path) {
    if (!TRUE.contains(text) && !FALSE.contains(text)) {
      throw wrong(path, Quote.of(text), "true or false");
    }
    return TRUE.contains(text);
  }

  private static EnumValueDescriptor constant(EnumDescriptor type, String text, String path) {
    EnumValueDescriptor value = type.findValueByName(text);
    if (value == null) {
      List<String> known = type.getValues().stream().map(EnumValueDescriptor::getName).toList();
      throw new IllegalArgumentException(
          "%s is %s, which is no such value; %s"
              .formatted(Quote.of(path), Quote.of(text), Nearest.to(text, known, "")));
    }
    return value;
  }

  private static long whole(String text, long least, long most, String path) {
    if (!text.matches("-?[0-9]{1,20}")) {
      throw wrong(path, Quote.of(text), "a whole number");
    }
    var value = new BigInteger(text);
    if (value.compareTo(BigInteger.valueOf(least)) < 0
        || value.compareTo(BigInteger.valueOf(most)) > 0) {
      throw wrong(path, text, "from %d to %d".formatted(least, most));
    }
    return value.longValue();
  }

  private static double number(String text, String path) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw wrong(path, Quote.of(text), "a number");
    }
  }

  private static IllegalArgumentException wrong(String path, String found, String wanted) {
    return new IllegalArgumentException(
        "%s is %s, not %s".formatted(Quote.of(path), found, wanted));
  }
}
