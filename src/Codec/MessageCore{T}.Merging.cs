using System.Buffers;

namespace ProtoBench.Codec;

sealed partial class MessageCore<T>
{
    /// <summary>Reads more input into the content. Views of it are stale from now on: its lists may move.</summary>
    public T Merge(ReadOnlySpan<byte> input)
    {
        MarkSeen();
        var origin = 0;
        var reader = T.KeepsInput ? Memory.CopyMore(input, out origin) : Memory.BorrowMore(input);
        return Merge(reader, origin);
    }

    /// <inheritdoc cref="Merge(ReadOnlySpan{byte})"/>
    public T Merge(in ReadOnlySequence<byte> input)
    {
        MarkSeen();
        var reader = Memory.CopyMore(input, out var origin);
        return Merge(reader, origin);
    }

    /// <summary>Reads a message of this type, which may be this one, into
    /// the content, as <see cref="Merge(ReadOnlySpan{byte})"/>.</summary>
    public T Merge(Storage source, int stamp, T content)
    {
        MarkSeen();
        return Merge(Memory.CopyOf(source, stamp, content), 0);
    }

    T Merge(WireReader reader, int origin)
    {
        Memory.InvalidateViews();
        var content = Content;
        var merge = Root.Stamp;
        var isComplete = false;
        try
        {
            T.Parse(reader, content);
            isComplete = true;
        }
        catch (WireFormatException e) when (origin > 0)
        {
            throw e.Before(origin);
        }
        finally
        {
            Memory.EndMerge(merge, isComplete);
        }

        return content;
    }
}
