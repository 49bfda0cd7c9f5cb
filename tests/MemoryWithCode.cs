using System.Buffers;
using ProtoBench.Codec;

namespace ProtoBench.Testing;

/// <summary>Memory that runs code whenever somebody looks at its bytes.</summary>
sealed class MemoryWithCode(byte[] bytes, Action code) : MemoryManager<byte>
{
    /// <summary>The code gives the message to another renter, or the length is wrong: nothing reaches the other message.</summary>
    /// <param name="look">At which look at the bytes the code runs.</param>
    /// <param name="lie">How wrong the length is.</param>
    /// <param name="isAliased">Whether the input is read where it is.</param>
    public static void Attack<T>(IReadOnlyList<byte[]> parts, int look, long lie, bool isAliased)
        where T : struct, ISlabMessage<T>
    {
        var looks = 0;
        var message = Message<T>.Rent();
        var victim = default(Message<T>);
        byte[] unknown = [0xFA, 0xFF, 0xFF, 0xFF, 0x0F, 3, 1, 2, 3];
        try
        {
            var segments = Segments.Of(parts.Select(part => (ReadOnlyMemory<byte>)new MemoryWithCode(part, Code).Memory), lie);
            var refusal = Record.Exception(() =>
            {
                if (isAliased) message.ParseAlias(segments);
                else message.Parse(segments);
                message.ToByteArray();
            });
            if (lie != 0 && parts.Count > 1) Assert.IsType<ArgumentException>(refusal);
            else if (looks > look) Assert.IsType<ObjectDisposedException>(refusal);
            else Assert.True(refusal is null or WireFormatException, refusal?.ToString());
            if (looks > look) Assert.Equal(unknown, victim.ToByteArray());
        }
        finally
        {
            message.Dispose();
            victim.Dispose();
        }

        void Code()
        {
            if (looks++ != look) return;
            message.Dispose();
            victim = Message<T>.Rent();
            victim.Parse(unknown);
        }
    }

    public override Span<byte> GetSpan()
    {
        code();
        return bytes;
    }

    public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

    public override void Unpin() => throw new NotSupportedException();

    protected override bool TryGetArray(out ArraySegment<byte> segment)
    {
        code();
        segment = bytes;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
    }
}
