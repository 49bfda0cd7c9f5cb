using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

/// <summary>How the values of a scalar type are varints.</summary>
/// <typeparam name="T">The type that is stored.</typeparam>
interface IPackedKind<T>
    where T : unmanaged
{
    /// <summary>Whether bits of a varint beyond its first eight bytes count.</summary>
    static abstract bool IsWide { get; }

    /// <summary>Whether values are stored other than as the lowest bits of the varint: zigzag.</summary>
    static virtual bool IsZigZag => false;

    static abstract T FromWire(ulong varint);

    static abstract ulong ToWire(T value);
}

readonly struct Int32Kind : IPackedKind<int>
{
    public static bool IsWide => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int FromWire(ulong varint) => (int)varint;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(int value) => (ulong)value;
}

readonly struct UInt32Kind : IPackedKind<uint>
{
    public static bool IsWide => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint FromWire(ulong varint) => (uint)varint;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(uint value) => value;
}

readonly struct SInt32Kind : IPackedKind<int>
{
    public static bool IsWide => false;

    public static bool IsZigZag => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int FromWire(ulong varint) => (int)((uint)varint >> 1) ^ -(int)(varint & 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(int value) => WireWriter.ZigZag(value);
}

readonly struct Int64Kind : IPackedKind<long>
{
    public static bool IsWide => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long FromWire(ulong varint) => (long)varint;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(long value) => (ulong)value;
}

readonly struct UInt64Kind : IPackedKind<ulong>
{
    public static bool IsWide => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong FromWire(ulong varint) => varint;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(ulong value) => value;
}

readonly struct SInt64Kind : IPackedKind<long>
{
    public static bool IsWide => true;

    public static bool IsZigZag => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long FromWire(ulong varint) => (long)(varint >> 1) ^ -(long)(varint & 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(long value) => WireWriter.ZigZag(value);
}

/// <remarks>A bool is true if any bit of its varint is set.</remarks>
readonly struct BoolKind : IPackedKind<bool>
{
    public static bool IsWide => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool FromWire(ulong varint) => varint != 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToWire(bool value) => value ? 1u : 0u;
}
