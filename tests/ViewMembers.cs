using System.Reflection;
using System.Runtime.CompilerServices;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Testing;

/// <summary>Members of a view, found by their name, as delegates that take the view in a box and values of Google's types.</summary>
static class ViewMembers
{
    public static Func<object, object?> Getter(Type view, string name, out Type type)
    {
        var property = Property(view, name);
        type = property.PropertyType;
        return Make<Func<object, object?>>(nameof(MakeGetter), [view, type], property.GetMethod!);
    }

    public static Func<object, object[]> Elements(Type view, string name, out Type element)
    {
        var property = Property(view, name);
        var type = property.PropertyType;
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ReadOnlySpan<>))
        {
            element = type.GetGenericArguments()[0];
            return Make<Func<object, object[]>>(nameof(MakeSpanReader), [view, element], property.GetMethod!);
        }

        var item = Property(type, "Item");
        element = item.PropertyType;
        return Make<Func<object, object[]>>(nameof(MakeListReader), [view, type, element], property.GetMethod!,
            Property(type, "Count").GetMethod!, item.GetMethod!);
    }

    public static Action<object, object> Setter(Type view, string name, FieldDescriptor field)
    {
        var method = Method(view, name, field);
        var type = method.GetParameters()[0].ParameterType;
        return Make<Action<object, object>>(nameof(MakeSetter), [view, type], method, FromGoogle(type));
    }

    public static Action<object, object> Merger(Type view)
    {
        var type = typeof(ReadOnlySpan<byte>);
        return Make<Action<object, object>>(nameof(MakeSetter), [view, type], view.GetMethod("MergeFrom", [type])!, FromGoogle(type));
    }

    public static Func<object, object> Maker(Type view, string name, out Type made)
    {
        var method = Method(view, name);
        made = method.ReturnType;
        return Make<Func<object, object>>(nameof(MakeMaker), [view, made], method);
    }

    public static Action<object, object, object> EntrySetter(Type view, string name, FieldDescriptor key, FieldDescriptor value)
    {
        var method = Method(view, name, key, value);
        var types = Array.ConvertAll(method.GetParameters(), parameter => parameter.ParameterType);
        return Make<Action<object, object, object>>(nameof(MakeEntrySetter), [view, .. types], method, FromGoogle(types[0]),
            FromGoogle(types[1]));
    }

    public static Func<object, object, object> EntryMaker(Type view, string name, FieldDescriptor key, out Type made)
    {
        var method = Method(view, name, key);
        made = method.ReturnType;
        var type = method.GetParameters()[0].ParameterType;
        return Make<Func<object, object, object>>(nameof(MakeEntryMaker), [view, type, made], method, FromGoogle(type));
    }

    public static Func<object, object> EnumOf(Type from, Type to) => Make<Func<object, object>>(nameof(MakeEnumOf), [from, to]);

    static PropertyInfo Property(Type type, string name) =>
        type.GetProperty(name) ?? throw new InvalidOperationException($"{type} has no property {name}.");

    static MethodInfo Method(Type view, string name, params FieldDescriptor[] fields) =>
        view.GetMethods().SingleOrDefault(one => one.Name == name && one.GetParameters().Length == fields.Length
            && one.GetParameters().Zip(fields).All(pair => IsFor(pair.First.ParameterType, pair.Second)))
        ?? throw new InvalidOperationException($"{view} has no method {name}.");

    // Strings are set as characters. The other overloads are for UTF-8, for several elements, and for a value that may be null.
    static bool IsFor(Type parameter, FieldDescriptor field) => field.FieldType switch
    {
        FieldType.String => parameter == typeof(ReadOnlySpan<char>),
        FieldType.Bytes => parameter == typeof(ReadOnlySpan<byte>),
        _ => !parameter.IsByRefLike && Nullable.GetUnderlyingType(parameter) is null,
    };

    static Delegate FromGoogle(Type type)
    {
        if (type == typeof(ReadOnlySpan<char>)) return (From<ReadOnlySpan<char>>)(value => ((string)value).AsSpan());
        if (type == typeof(ReadOnlySpan<byte>)) return (From<ReadOnlySpan<byte>>)(value => ((ByteString)value).Span);
        return Make<Delegate>(type.IsEnum ? nameof(FromEnum) : nameof(FromBox), [type]);
    }

    static TDelegate Make<TDelegate>(string name, Type[] types, params object[] arguments) =>
        (TDelegate)typeof(ViewMembers).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types)
            .Invoke(null, arguments)!;

    static From<T> FromBox<T>() => value => (T)value;

    static From<T> FromEnum<T>()
        where T : struct, Enum => value =>
        {
            var number = (int)value;
            return Unsafe.As<int, T>(ref number);
        };

    static Func<object, object> MakeEnumOf<TFrom, TTo>()
        where TFrom : struct, Enum
        where TTo : struct, Enum => value => Unsafe.As<TFrom, TTo>(ref Unsafe.Unbox<TFrom>(value));

    static Func<object, object?> MakeGetter<TView, T>(MethodInfo method)
        where TView : struct
    {
        var call = method.CreateDelegate<Get<TView, T>>();
        return view => call(ref Unsafe.Unbox<TView>(view));
    }

    static Func<object, object[]> MakeSpanReader<TView, T>(MethodInfo method)
        where TView : struct
    {
        var call = method.CreateDelegate<Get<TView, ReadOnlySpan<T>>>();
        return view =>
        {
            var span = call(ref Unsafe.Unbox<TView>(view));
            var elements = new object[span.Length];
            for (var i = 0; i < elements.Length; i++) elements[i] = span[i]!;
            return elements;
        };
    }

    static Func<object, object[]> MakeListReader<TView, TList, T>(MethodInfo method, MethodInfo count, MethodInfo item)
        where TView : struct
        where TList : struct
    {
        var get = method.CreateDelegate<Get<TView, TList>>();
        var getCount = count.CreateDelegate<Get<TList, int>>();
        var getItem = item.CreateDelegate<GetBy<TList, int, T>>();
        return view =>
        {
            var list = get(ref Unsafe.Unbox<TView>(view));
            var elements = new object[getCount(ref list)];
            for (var i = 0; i < elements.Length; i++) elements[i] = getItem(ref list, i)!;
            return elements;
        };
    }

    static Action<object, object> MakeSetter<TView, T>(MethodInfo method, From<T> from)
        where TView : struct
        where T : allows ref struct
    {
        var call = method.CreateDelegate<Set<TView, T>>();
        return (view, value) => call(ref Unsafe.Unbox<TView>(view), from(value));
    }

    static Func<object, object> MakeMaker<TView, T>(MethodInfo method)
        where TView : struct
        where T : struct
    {
        var call = method.CreateDelegate<Get<TView, T>>();
        return view => call(ref Unsafe.Unbox<TView>(view));
    }

    static Action<object, object, object> MakeEntrySetter<TView, TKey, T>(MethodInfo method, From<TKey> fromKey, From<T> from)
        where TView : struct
        where TKey : allows ref struct
        where T : allows ref struct
    {
        var call = method.CreateDelegate<SetBy<TView, TKey, T>>();
        return (view, key, value) => call(ref Unsafe.Unbox<TView>(view), fromKey(key), from(value));
    }

    static Func<object, object, object> MakeEntryMaker<TView, TKey, T>(MethodInfo method, From<TKey> fromKey)
        where TView : struct
        where TKey : allows ref struct
        where T : struct
    {
        var call = method.CreateDelegate<GetBy<TView, TKey, T>>();
        return (view, key) => call(ref Unsafe.Unbox<TView>(view), fromKey(key));
    }

    delegate T From<T>(object value)
        where T : allows ref struct;

    delegate T Get<TView, T>(ref TView view)
        where TView : struct
        where T : allows ref struct;

    delegate T GetBy<TView, TKey, T>(ref TView view, TKey key)
        where TView : struct
        where TKey : allows ref struct;

    delegate void Set<TView, T>(ref TView view, T value)
        where TView : struct
        where T : allows ref struct;

    delegate void SetBy<TView, TKey, T>(ref TView view, TKey key, T value)
        where TView : struct
        where TKey : allows ref struct
        where T : allows ref struct;
}
