using System.Buffers;

namespace ProtoBench.Codec.Tests;

/// <summary>Windows of one size, or of what was asked for if that is more. Behind a window's written end nothing may be left.</summary>
sealed class WindowWriter(int size) : IBufferWriter<byte>
{
    public Action Asked { get; init; } = static () => { };

    public byte[] Window { get; private set; } = [];

    public List<byte> Written { get; } = [];

    public void Advance(int count)
    {
        Assert.All(Window[count..], left => Assert.True(left is 0 or 0xEE, $"0x{left:X2} is left behind the written end"));
        Written.AddRange(Window.AsSpan(0, count));
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Asked();
        Window = new byte[Math.Max(size, sizeHint)];
        Array.Fill(Window, (byte)0xEE);
        return Window;
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

    public IEnumerable<byte> Around => [.. array[..margin], .. array[^margin..]];

    public void Advance(int count) => Advanced = Math.Max(Advanced, count);

    public Memory<byte> GetMemory(int sizeHint = 0) => array.AsMemory(margin, array.Length - (2 * margin));

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
