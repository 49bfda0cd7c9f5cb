using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>What recycled messages (<see cref="Message{T}.Rent()"/>) keep for their next renters: arrays, and a slab each.</summary>
/// <remarks>
/// <para>This memory is given back when <see cref="SlabPool.Shared"/> is trimmed, when the process is short of memory, and when a message was
/// idle for one to two periods of the shared pool's <see cref="SlabPoolOptions.IdleRetention"/>. Then the idle messages of all threads are
/// emptied. A message that is in use keeps its memory.</para>
/// <para>On each thread, the message of a type that was released last is rented first. So messages that are used inside of each other, and
/// released in the reverse order, get the same memory each time.</para>
/// <para>When it is released, a message gives an array back that is more than eight times as long as its recent peak. The peak falls by a
/// sixteenth with each use that needs less. It gives back everything if all recycled messages together keep more than
/// <see cref="MaxBytes"/>.</para>
/// <para>Thread safety: every member, from any thread.</para>
/// </remarks>
public static class RecycledMessages
{
    static readonly Lock gate = new();
    static readonly List<Registration> registrations = [];
    static int sweepAt = 64;
    static long keptBytes;
    static long maxBytes = GC.GetGCMemoryInfo(GCKind.Any).TotalAvailableMemoryBytes / 8;

    static RecycledMessages() => SlabPool.Shared.Trimming += OnTrimming;

    /// <summary>The most bytes that recycled messages keep, in use or idle. A message that is released when they keep more is emptied. The
    /// default is an eighth of what the process may use: the heap's hard limit, the container's limit or the machine's memory.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public static long MaxBytes
    {
        get => Volatile.Read(ref maxBytes);
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            Volatile.Write(ref maxBytes, value);
        }
    }

    /// <summary>Bytes that recycled messages keep, in use or idle, as they were counted at their last release. A message that nobody
    /// released counts until it is collected.</summary>
    public static long KeptBytes
    {
        get
        {
            lock (gate) Sweep();
            return Volatile.Read(ref keptBytes);
        }
    }

    /// <summary>Retention periods that have ended.</summary>
    internal static int Period;

    internal static bool IsOverLimit => keptBytes > maxBytes && KeptBytes > maxBytes;

    /// <summary>Empties every idle message. <see cref="SlabPool.Trim"/> of the shared pool does that too, and drops the slabs.</summary>
    /// <returns>Bytes that were given back: arrays to the garbage collector, slabs to the shared pool.</returns>
    public static long Trim() => Trim(static _ => true);

    internal static Registration Register(MessageCore core)
    {
        var registration = new Registration(core);
        lock (gate)
        {
            if (registrations.Count >= sweepAt)
            {
                Sweep();
                sweepAt = Math.Max(64, 2 * registrations.Count);
            }

            registrations.Add(registration);
        }

        return registration;
    }

    static void OnTrimming(object? pool, SlabPoolTrimmingEventArgs trimming)
    {
        if (trimming.Reason != SlabPoolTrimReason.RetentionPeriodEnded)
        {
            Trim();
            return;
        }

        var ended = Period;
        Period = ended + 1;
        Trim(core => core.UsedInPeriod != ended);
    }

    static long Trim(Func<MessageCore, bool> which)
    {
        // The cores are emptied outside of the lock: they return slabs to the pool, which may be the caller.
        List<MessageCore> cores = [];
        lock (gate)
        {
            Sweep();
            foreach (var registration in registrations)
            {
                if (registration.Core is { } core && which(core)) cores.Add(core);
            }
        }

        return cores.Sum(core => core.Trim());
    }

    /// <summary>Forgets messages that were collected: with the thread that kept them, or because nobody released them.</summary>
    static void Sweep() => registrations.RemoveAll(static registration =>
    {
        if (registration.Core is not null) return false;
        registration.Count(0);
        return true;
    });

    /// <summary>A recycled message, which may be collected, and what it was counted with.</summary>
    internal sealed class Registration(MessageCore core)
    {
        readonly WeakReference<MessageCore> core = new(core);
        long counted;

        public MessageCore? Core => core.TryGetTarget(out var target) ? target : null;

        /// <summary>Takes note of what the message keeps now.</summary>
        public void Count(long bytes)
        {
            if (bytes == counted) return;
            Interlocked.Add(ref keptBytes, bytes - counted);
            counted = bytes;
        }
    }
}
