using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

/// <summary>What a <see cref="Rental"/> is about.</summary>
public enum RentalKind
{
    /// <summary>A slab, with all that an arena, a writer or an allocator cut from it.</summary>
    Slab,

    /// <summary>One counted slice.</summary>
    Slice,
}

/// <summary>A rental of a <see cref="DiagnosticSlabPool"/>: what was rented, by whom and when. It stays valid after the release.</summary>
public sealed class Rental
{
    readonly TimeProvider clock;
    readonly long rentedAt;
    readonly StackTrace? stack;
    long releasedAt;

    // Not inlined, nor are its callers: the two frames that the stack leaves out must be theirs.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal Rental(RentalKind kind, int length, TimeProvider clock, bool captureStack)
    {
        Kind = kind;
        Length = length;
        this.clock = clock;
        rentedAt = clock.GetTimestamp();
        ThreadId = Environment.CurrentManagedThreadId;
        if (captureStack) stack = new(skipFrames: 2, fNeedFileInfo: true);
    }

    /// <summary>What was rented.</summary>
    public RentalKind Kind { get; }

    /// <summary>Bytes.</summary>
    public int Length { get; }

    /// <summary>The managed thread that rented.</summary>
    public int ThreadId { get; }

    /// <summary>The stack of the caller that rented, if the pool records stacks.</summary>
    public string? Stack => stack?.ToString();

    /// <summary>Whether it is not released yet.</summary>
    public bool IsOutstanding => Volatile.Read(ref releasedAt) == 0;

    /// <summary>From rent to release, or until now.</summary>
    public TimeSpan Lifetime => clock.GetElapsedTime(rentedAt, IsOutstanding ? clock.GetTimestamp() : releasedAt);

    internal Slab? Slab { get; set; }

    internal string Noun => Kind == RentalKind.Slab ? "slab" : "slice";

    /// <inheritdoc/>
    public override string ToString() =>
        $"{Kind} of {Length:N0} bytes, rented by thread {ThreadId}, "
        + $"{(IsOutstanding ? "out for" : "lived")} {Lifetime.TotalMilliseconds:N0} ms{Story()}";

    internal string Story() => stack is null ? "" : $"{Environment.NewLine}Rented by:{Environment.NewLine}{stack}";

    internal void End()
    {
        Slab = null;

        // A clock may stand at zero, which means "outstanding" here.
        Volatile.Write(ref releasedAt, Math.Max(1, clock.GetTimestamp()));
    }
}
