using System.Buffers;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Tests;

/// <summary>Windows of one size, or of what was asked for if that is more. Behind a window's written end nothing may be left, and nothing
/// around it may be touched.</summary>
sealed class WindowWriter(int size) : IBufferWriter<byte>
{
    const byte untouched = 0xEE;
    const int margin = 64;

    readonly List<byte> written = [];
    byte[] array = [];

    public Action Asked { get; init; } = static () => { };

    /// <summary>The window that was given last.</summary>
    public ReadOnlySpan<byte> Window => array.AsSpan(margin..^margin);

    public ReadOnlySpan<byte> Written => CollectionsMarshal.AsSpan(written);

    public void Advance(int count)
    {
        var left = Window[count..].IndexOfAnyExcept((byte)0, untouched);
        if (left >= 0) Assert.Fail($"window of {Window.Length}: 0x{Window[count + left]:X2} is left {left} bytes behind the written end");
        if (array.AsSpan(..margin).ContainsAnyExcept(untouched) || array.AsSpan(^margin..).ContainsAnyExcept(untouched))
            Assert.Fail($"window of {Window.Length}: bytes around it were written");
        written.AddRange(Window[..count]);
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Asked();
        var length = Math.Max(size, sizeHint);
        if (array.Length != length + (2 * margin)) array = new byte[length + (2 * margin)];
        Array.Fill(array, untouched);
        return array.AsMemory(margin, length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}

/// <summary>One window inside of an array, whose other bytes are checked.</summary>
sealed class PartWriter : IBufferWriter<byte>
{
    const int margin = 256;
    readonly byte[] array;

    public PartWriter(int size)
    {
        array = new byte[size + (2 * margin)];
        Array.Fill(array, (byte)0xEE);
    }

    /// <summary>The largest part that was written into the window at once.</summary>
    public int Advanced { get; private set; }

    public bool IsTouchedAround =>
        array.AsSpan(..margin).ContainsAnyExcept((byte)0xEE) || array.AsSpan(^margin..).ContainsAnyExcept((byte)0xEE);

    public void Advance(int count) => Advanced = Math.Max(Advanced, count);

    public Memory<byte> GetMemory(int sizeHint = 0) => array.AsMemory(margin, array.Length - (2 * margin));

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
