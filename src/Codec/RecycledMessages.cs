using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>Controls the memory that recycled messages (<see cref="Message{T}.Rent()"/>) keep for their next renters: arrays, and one slab
/// for each message.</summary>
/// <remarks>
/// <para>This memory is released when <see cref="SlabPool.Shared"/> is trimmed, when the process is short of memory, and when a message was
/// idle for one to two periods of the shared pool's <see cref="SlabPoolOptions.IdleRetention"/>. The idle messages of all threads then
/// release their memory. A message that is in use keeps its memory.</para>
/// <para>On each thread, the message of a type that was released last is rented first. So messages that are used inside each other, and
/// released in the reverse order, get the same memory each time.</para>
/// <para>A message that is released gives up each array that is more than eight times as long as its recent peak. The peak falls by a
/// sixteenth with each use that needs less. The message gives up all memory if all recycled messages together keep more than
/// <see cref="MaxBytes"/>.</para>
/// <para>Thread safety: all members are thread-safe.</para>
/// </remarks>
public static class RecycledMessages
{
    // Not a Lock: its first use in a process takes 0.4 ms more.
    static readonly object gate = new();
    static readonly List<Registration> registrations = [];
    static int sweepAt = 64;
    static long keptBytes;
    static long maxBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8;

    static RecycledMessages() => SlabPool.Shared.Trimming += OnTrimming;

    /// <summary>Gets or sets the maximum number of bytes that recycled messages keep, in use or idle. A message that is released when they
    /// keep more gives up all its memory. The default is an eighth of the memory that the process may use: the heap's hard limit, the
    /// container's limit or the machine's memory.</summary>
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

    /// <summary>Gets the number of bytes that recycled messages keep, in use or idle, as counted at their last release. A message that was
    /// never released counts until it is garbage-collected.</summary>
    public static long KeptBytes
    {
        get
        {
            lock (gate) Sweep();
            return Volatile.Read(ref keptBytes);
        }
    }

    /// <summary>The number of retention periods that have ended.</summary>
    internal static int Period;

    internal static bool IsOverLimit => keptBytes > maxBytes && KeptBytes > maxBytes;

    /// <summary>Releases the memory of all idle messages. <see cref="SlabPool.Trim"/> of the shared pool does the same, and also releases
    /// the slabs.</summary>
    /// <returns>The number of bytes that were released: arrays to the garbage collector, slabs to the shared pool.</returns>
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
        // The cores are emptied outside the lock: they return slabs to the pool, which may be the caller.
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

    /// <summary>Removes messages that were garbage-collected: with the thread that kept them, or because they were never
    /// released.</summary>
    static void Sweep() => registrations.RemoveAll(static registration =>
    {
        if (registration.Core is not null) return false;
        registration.Count(0);
        return true;
    });

    /// <summary>Represents a recycled message, which may be garbage-collected, and the number of bytes that was counted for it.</summary>
    internal sealed class Registration(MessageCore core)
    {
        readonly WeakReference<MessageCore> core = new(core);
        long counted;

        public MessageCore? Core => core.TryGetTarget(out var target) ? target : null;

        /// <summary>Records the number of bytes that the message keeps now.</summary>
        public void Count(long bytes)
        {
            if (bytes == counted) return;
            Interlocked.Add(ref keptBytes, bytes - counted);
            counted = bytes;
        }
    }
}
