using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

/// <summary>One flat array of a message: the rows of one type of sub-message, or the elements of its repeated fields of one type.</summary>
public abstract class Rows
{
    private protected Rows(MessageMemory memory)
    {
        Memory = memory;
        memory.Register(this);
    }

    /// <summary>The message that the rows belong to.</summary>
    public MessageMemory Memory { get; }

    /// <summary>Forgets all rows and keeps the array, unless it is too large to be kept.</summary>
    internal abstract void Reset();

    /// <summary>Lets the array go: from now on every access throws.</summary>
    internal abstract void Release();

    /// <summary>Adds the row of the message itself, which is always number 0.</summary>
    internal abstract void AddRoot();
}

/// <inheritdoc/>
/// <remarks>Rows of one repeated field are contiguous. A field whose elements arrive while others of the same type arrive too (a message
/// that occurs twice is merged; a type may contain itself) is moved to the end of the array, into room for twice as many, so that n
/// elements cost n steps in any order of arrival. Thread safety: as <see cref="Message{T}"/>.</remarks>
/// <typeparam name="T">The row.</typeparam>
public class Rows<T> : Rows
    where T : unmanaged
{
    // What a recycled message may keep. Beyond it one large message would hold its arrays for the life of the process.
    const int keptBytes = 16 << 20;

    T[] items = [];
    int used;

    /// <summary>Makes an empty array for a message.</summary>
    protected Rows(MessageMemory memory)
        : base(memory)
    {
    }

    /// <summary>A row.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, and belongs to a pool of its own.</exception>
    public ref T this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            var array = items;
            if ((uint)index >= (uint)array.Length) ThrowNoRow();
            return ref array[index];
        }
    }

    /// <summary>The array of elements of this type that all repeated fields of a message share.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Rows<T> Of(MessageMemory memory) => memory.Find<Rows<T>>() ?? new(memory);

    /// <summary>The elements of a repeated field.</summary>
    public Span<T> Slice(Run run) => items.AsSpan(run.Start, run.Count);

    /// <summary>Adds a row of zeros to a repeated field.</summary>
    /// <returns>Its index.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Append(ref Run run)
    {
        var (start, count) = run;
        if ((count & (count - 1)) == 0) start = MakeRoom(run);
        var index = start + count;
        run = new(start, count + 1);
        this[index] = default;
        return index;
    }

    /// <summary>Adds a row of zeros to a map.</summary>
    /// <returns>Its index.</returns>
    public int Append(ref MapRun map)
    {
        var (run, room, id) = map;
        if (run.Count == room)
        {
            run = new(MakeRoom(run), run.Count);
            room = Math.Max(1, 2 * room);
        }

        map = new(new(run.Start, run.Count + 1), room, id);
        this[run.End] = default;
        return run.End;
    }

    /// <summary>The row of a sub-message, added if there is none yet.</summary>
    /// <param name="handle">What the message has for it: 0 for none, else its index and 1.</param>
    /// <returns>Its index.</returns>
    public int Open(int handle) => handle == 0 ? Append() : handle - 1;

    /// <summary>Adds an element to a repeated field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append(ref Run run, T value) => this[Append(ref run)] = value;

    /// <summary>Adds a row of zeros that belongs to no repeated field.</summary>
    /// <returns>Its index.</returns>
    public int Append()
    {
        var run = default(Run);
        return Append(ref run);
    }

    internal override void Reset()
    {
        used = 0;
        if ((long)items.Length * Unsafe.SizeOf<T>() > keptBytes) items = [];
    }

    internal override void Release() => items = [];

    internal override void AddRoot() => Append();

    [MethodImpl(MethodImplOptions.NoInlining)]
    int MakeRoom(Run run)
    {
        var room = Math.Max(1, run.Count);
        var start = run.Start;
        if (run.Count == 0 || run.End != used)
        {
            start = used;
            room += run.Count;
        }

        // The sum cannot overflow before the array is beyond what an array can hold.
        var end = used + room;
        if ((uint)end > (uint)items.Length)
        {
            var larger = GC.AllocateUninitializedArray<T>((int)Math.Min(Math.Max(16, Math.Max(2L * items.Length, (uint)end)), Array.MaxLength));
            items.AsSpan(0, used).CopyTo(larger);
            items = larger;
        }

        if (start != run.Start) items.AsSpan(run.Start, run.Count).CopyTo(items.AsSpan(start));
        used = end;
        return start;
    }

    [DoesNotReturn]
    void ThrowNoRow()
    {
        Memory.ThrowIfReleased();
        throw new ArgumentOutOfRangeException("index", "There is no such element.");
    }
}
