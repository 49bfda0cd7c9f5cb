using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Sets entries of maps by reflection, where keys and values may be spans.</summary>
static class Entries
{
    /// <summary>SetName(key, value), or MutableName(key) and its content.</summary>
    public static void Set(object view, string name, object key, FieldDescriptor valueField, object value)
    {
        if (valueField.FieldType == FieldType.Message)
        {
            var inner = key is string text
                ? Run(nameof(MutableByText), [view.GetType(), ReturnOf(view, "Mutable" + name)], view, "Mutable" + name, text)
                : Bridge.Call(view, "Mutable" + name, key);
            Bridge.Fill(inner!, value as IMessage ?? throw new NotSupportedException("wrapper types in maps"));
            return;
        }

        var method = "Set" + name;
        var plain = valueField.FieldType switch
        {
            FieldType.String => (object)((string)value).ToCharArray(),
            FieldType.Bytes => ((ByteString)value).ToByteArray(),
            FieldType.Enum =>
                Enum.ToObject(view.GetType().GetMethods().First(one => one.Name == method).GetParameters()[1].ParameterType, (int)value),
            _ => value,
        };
        if (plain is char[] or byte[])
        {
            var element = plain.GetType().GetElementType()!;
            if (key is string) Run(nameof(SpanByText), [view.GetType(), element], view, method, key, plain);
            else Run(nameof(SpanByKey), [view.GetType(), key.GetType(), element], view, method, key, plain);
        }
        else if (key is string)
        {
            Run(nameof(ValueByText), [view.GetType(), plain.GetType()], view, method, key, plain);
        }
        else
        {
            Bridge.Call(view, method, key, plain);
        }
    }

    static Type ReturnOf(object view, string method) => view.GetType().GetMethods().First(one => one.Name == method).ReturnType;

    static object? Run(string helper, Type[] types, params object[] arguments) =>
        typeof(Entries).GetMethod(helper, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types).Invoke(null, arguments);

    static T MutableByText<TView, T>(object view, string method, string key)
        where TView : struct
    {
        var copy = (TView)view;
        return typeof(TView).GetMethod(method, [typeof(ReadOnlySpan<char>)])!.CreateDelegate<ByText<TView, T>>()(ref copy, key);
    }

    static void ValueByText<TView, T>(object view, string method, string key, T value)
        where TView : struct
    {
        var copy = (TView)view;
        typeof(TView).GetMethod(method,
            [typeof(ReadOnlySpan<char>), typeof(T)])!.CreateDelegate<Setter<TView, ReadOnlySpan<char>, T>>()(ref copy, key, value);
    }

    static void SpanByText<TView, T>(object view, string method, string key, T[] value)
        where TView : struct
    {
        var copy = (TView)view;
        typeof(TView).GetMethod(method,
            [typeof(ReadOnlySpan<char>), typeof(ReadOnlySpan<T>)])!.CreateDelegate<Setter<TView, ReadOnlySpan<char>, ReadOnlySpan<T>>>()(
                ref copy, key, value);
    }

    static void SpanByKey<TView, TKey, T>(object view, string method, TKey key, T[] value)
        where TView : struct
    {
        var copy = (TView)view;
        typeof(TView).GetMethod(method,
            [typeof(TKey), typeof(ReadOnlySpan<T>)])!.CreateDelegate<Setter<TView, TKey, ReadOnlySpan<T>>>()(ref copy, key, value);
    }

    delegate T ByText<TView, T>(ref TView view, ReadOnlySpan<char> key)
        where TView : struct;

    delegate void Setter<TView, TKey, TValue>(ref TView view, TKey key, TValue value)
        where TView : struct
        where TKey : allows ref struct
        where TValue : allows ref struct;
}
