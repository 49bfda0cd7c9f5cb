#if !NET10_0_OR_GREATER
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace ProtoBench.Codec;

/// <summary><c>Volatile.ReadBarrier</c> for a build with -p:Framework=net9.0, which has no such method. x86 processors do not reorder
/// loads, so a volatile load, which the compiler does not move, is enough there; others get a full barrier.</summary>
static class ReadBarrierOfOlderFrameworks
{
#pragma warning disable CS0649, IDE0044 // never written, but the JIT would read a readonly field only once
    static int anything;
#pragma warning restore CS0649, IDE0044

    extension(Volatile)
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static void ReadBarrier()
        {
            if (X86Base.IsSupported)
                _ = Volatile.Read(ref anything);
            else
                Interlocked.MemoryBarrier();
        }
    }
}
#endif
