using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>A slab message type, seen by its name: reads one into Google's message
/// through accessors, and builds one from Google's through setters.</summary>
interface IBridge
{
    /// <summary>Parses and writes.</summary>
    byte[] Rewrite(byte[] wire);

    /// <summary>Parses, and copies through accessors.</summary>
    IMessage Read(byte[] wire, MessageDescriptor descriptor);

    /// <summary>Copies through setters, and writes.</summary>
    byte[] Build(IMessage source);
}

static class Bridge
{
    public static IBridge Of(Type view) => (IBridge)Activator.CreateInstance(typeof(Bridge<>).MakeGenericType(view))!;

    static readonly ConcurrentDictionary<FieldDescriptor, string> propertyNames = new();
    static readonly ConcurrentDictionary<(Type Type, string Name, int Parameters), MethodInfo> methods = new();
    static readonly ConcurrentDictionary<(Type View, Type Element), SpanSetter> setters = new();

    /// <summary>The name of a field's property in Google's class: that of the constant with its number, without its ending.</summary>
    public static string PropertyName(FieldDescriptor field) => propertyNames.GetOrAdd(field, FindPropertyName);

    static string FindPropertyName(FieldDescriptor field)
    {
        const string ending = "FieldNumber";
        if (field.ContainingType.ClrType is not { } type) return field.FieldNumber == 1 ? "Key" : "Value";
        return type.GetFields(BindingFlags.Public | BindingFlags.Static)
            .Single(one => one.IsLiteral && one.FieldType == typeof(int) && one.Name.EndsWith(ending, StringComparison.Ordinal)
            && (int)one.GetRawConstantValue()! == field.FieldNumber)
            .Name[..^ending.Length];
    }

    public static void Copy(object view, IMessage target)
    {
        foreach (var field in target.Descriptor.Fields.InDeclarationOrder().Where(field => field.FieldType != FieldType.Group))
        {
            var property = PropertyOf(view, field);
            if (field.IsMap)
            {
                var map = (IDictionary)field.Accessor.GetValue(target);
                foreach (var entry in Elements(view, property))
                    map.Add(Get(entry, field.MessageType.FindFieldByNumber(1))!,
                        Get(entry, field.MessageType.FindFieldByNumber(2)) ?? Empty(field.MessageType.FindFieldByNumber(2)));
            }
            else if (field.IsRepeated)
            {
                var list = (IList)field.Accessor.GetValue(target);
                foreach (var element in Elements(view, property)) list.Add(ToGoogle(element, field));
            }
            else if (IsSet(view, field))
            {
                field.Accessor.SetValue(target, Get(view, field)!);
            }
        }
    }

    public static void Fill(object view, IMessage source)
    {
        foreach (var field in source.Descriptor.Fields.InDeclarationOrder().Where(field => field.FieldType != FieldType.Group))
        {
            var name = PropertyName(field);
            var value = field.Accessor.GetValue(source);
            if (field.IsMap)
            {
                foreach (DictionaryEntry entry in (IDictionary)value)
                {
                    Entries.Set(view, name, entry.Key, field.MessageType.FindFieldByNumber(2), entry.Value!);
                }
            }
            else if (field.IsRepeated)
            {
                foreach (var element in (IList)value) Set(view, field, name, element!, "Add");
            }
            else if (field.HasPresence ? field.Accessor.HasValue(source) : !IsDefault(value))
            {
                Set(view, field, name, value, "Set");
            }
        }
    }

    static void Set(object view, FieldDescriptor field, string name, object value, string verb)
    {
        switch (field.FieldType)
        {
            case FieldType.Message when value is IMessage message:
                Fill(Call(view, (verb == "Add" ? "Add" : "Mutable") + name)!, message);
                break;
            case FieldType.Message when verb == "Set":
                Set(view, field.MessageType.FindFieldByNumber(1), name, value, "Set");
                break;
            case FieldType.Message:
                var inner = Call(view, (verb == "Add" ? "Add" : "Mutable") + name)!;
                if (!IsDefault(value)) Set(inner, field.MessageType.FindFieldByNumber(1), "Value", value, "Set");
                break;
            case FieldType.String:
                CallSpan(view, verb + name, ((string)value).AsSpan());
                break;
            case FieldType.Bytes:
                CallSpan(view, verb + name, ((ByteString)value).Span);
                break;
            case FieldType.Enum:
                var method = view.GetType().GetMethods()
                    .Single(one => one.Name == verb + name && one.GetParameters().Length == 1
                    && !one.GetParameters()[0].ParameterType.IsByRefLike);
                Call(view, verb + name, Enum.ToObject(method.GetParameters()[0].ParameterType, (int)value));
                break;
            default:
                Call(view, verb + name, value);
                break;
        }
    }

    /// <summary>Whether our message says that the field is set.</summary>
    static bool IsSet(object view, FieldDescriptor field)
    {
        var name = PropertyName(field);
        if (field.FieldType == FieldType.Message) return view.GetType().GetProperty(name)!.GetValue(view) is not null;
        if (!field.HasPresence) return true;
        return (bool)view.GetType().GetProperty("Has" + name)!.GetValue(view)!;
    }

    static object? Get(object view, FieldDescriptor field) =>
        PropertyOf(view, field).GetValue(view) is { } value ? ToGoogle(value, field) : null;

    static PropertyInfo PropertyOf(object view, FieldDescriptor field)
    {
        var name = PropertyName(field);
        return view.GetType().GetProperty(name) ?? throw new InvalidOperationException($"{view.GetType()} has no property {name}.");
    }

    static object ToGoogle(object value, FieldDescriptor field)
    {
        switch (field.FieldType)
        {
            case FieldType.String:
                return value.ToString()!;
            case FieldType.Bytes:
                return ByteString.CopyFrom(((Bytes)value).Span);
            case FieldType.Enum:
                return Enum.ToObject(field.EnumType.ClrType, Convert.ToInt32(value, null));
            case FieldType.Message when IsWrapper(field.MessageType) && value.GetType().GetProperty("Value") is null:
                return ToGoogle(value, field.MessageType.FindFieldByNumber(1));
            case FieldType.Message:
                var message = field.MessageType.Parser.ParseFrom([]);
                Copy(value, message);
                return IsWrapper(field.MessageType) ? field.MessageType.FindFieldByNumber(1).Accessor.GetValue(message) : message;
            default:
                return value;
        }
    }

    static bool IsWrapper(MessageDescriptor type) => type.File.Name == "google/protobuf/wrappers.proto";

    static object Empty(FieldDescriptor field) => field.MessageType.Parser.ParseFrom([]);

    static IEnumerable<object> Elements(object view, PropertyInfo property)
    {
        var type = property.PropertyType;
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ReadOnlySpan<>))
        {
            var read = typeof(Bridge).GetMethod(nameof(Span),
                BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(view.GetType(), type.GetGenericArguments()[0]);
            return ((IEnumerable)read.Invoke(null, [view, property])!).Cast<object>();
        }

        var list = property.GetValue(view)!;
        var count = (int)type.GetProperty("Count")!.GetValue(list)!;
        var item = type.GetProperty("Item")!;
        return Enumerable.Range(0, count).Select(i => item.GetValue(list, [i])!);
    }

    static T[] Span<TView, T>(object view, PropertyInfo property)
        where TView : struct
    {
        var copy = (TView)view;
        return property.GetMethod!.CreateDelegate<SpanGetter<TView, T>>()(ref copy).ToArray();
    }

    internal static object? Call(object view, string name, params object[] arguments) =>
        methods.GetOrAdd((view.GetType(), name, arguments.Length), static one => FindMethod(one.Type, one.Name, one.Parameters))
            .Invoke(view, arguments);

    static MethodInfo FindMethod(Type type, string name, int parameters) =>
        type.GetMethods()
            .SingleOrDefault(one => one.Name == name && one.GetParameters().Length == parameters
            && one.GetParameters().All(parameter => !parameter.ParameterType.IsByRefLike))
        ?? throw new InvalidOperationException($"{type} has no method {name}.");

    static void CallSpan<T>(object view, string name, ReadOnlySpan<T> value)
    {
        var setter = setters.GetOrAdd((view.GetType(), typeof(T)), static one =>
            new(typeof(Bridge).GetMethod(nameof(CallWith), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(one.View,
                one.Element).CreateDelegate<SpanSetter<object, T>>()));
        ((SpanSetter<object, T>)setter.Call)(ref view, name, value);
    }

    static void CallWith<TView, T>(ref object view, string name, ReadOnlySpan<T> value)
        where TView : struct
    {
        var copy = (TView)view;
        var method = typeof(TView).GetMethod(name, [typeof(ReadOnlySpan<T>)])
            ?? throw new InvalidOperationException($"{typeof(TView)} has no method {name}.");
        method.CreateDelegate<SpanMethod<TView, T>>()(ref copy, value);
    }

    static bool IsDefault(object value) => value switch
    {
        string text => text.Length == 0,
        ByteString bytes => bytes.IsEmpty,
        double number => BitConverter.DoubleToInt64Bits(number) == 0,
        float number => BitConverter.SingleToInt32Bits(number) == 0,
        Enum => (int)value == 0,
        IMessage => false,
        _ => value.Equals(Activator.CreateInstance(value.GetType())),
    };

    delegate ReadOnlySpan<T> SpanGetter<TView, T>(ref TView view)
        where TView : struct;

    delegate void SpanSetter<TView, T>(ref TView view, string name, ReadOnlySpan<T> value);

    sealed record SpanSetter(Delegate Call);

    delegate void SpanMethod<TView, T>(ref TView view, ReadOnlySpan<T> value)
        where TView : struct;
}

/// <inheritdoc/>
[SuppressMessage("Performance", "CA1812", Justification = "made by reflection")]
sealed class Bridge<T> : IBridge
    where T : struct, IMessage<T>
{
    public byte[] Rewrite(byte[] wire)
    {
        using var message = Message<T>.Rent();
        message.Parse(wire.AsSpan());
        return Written(message);
    }

    public IMessage Read(byte[] wire, MessageDescriptor descriptor)
    {
        using var message = Message<T>.Rent();
        var target = descriptor.Parser.ParseFrom([]);
        Bridge.Copy(message.Parse(wire.AsSpan()), target);
        return target;
    }

    public byte[] Build(IMessage source)
    {
        using var message = Message<T>.Rent();
        Bridge.Fill(message.Value, source);
        return Written(message);
    }

    /// <summary>Writes into windows of the size, with hardly any room more, and with plenty: the code differs.</summary>
    static byte[] Written(Message<T> message)
    {
        var exact = message.ToByteArray();
        foreach (var more in new[] { 1, 1024 })
        {
            var writer = new ArrayBufferWriter<byte>(exact.Length + more);
            message.WriteTo(writer);
            Assert.Equal(exact, writer.WrittenSpan);
        }

        return exact;
    }
}
