using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// What a recycled message keeps.
public partial class Storage<T>
{
    // The recent peak of used elements: it falls by a sixteenth with each use that needs less.
    int peak;

    private protected override void ResetLarge()
    {
        peak = Math.Max(used, peak - (peak >> 4));
        if (Math.Max(items.Length, forwards.Length) > KeptLength(peak)) Release();
        if (forwardsEnd == 0) return;
        Array.Clear(forwards, 0, forwardsEnd);
        forwardsEnd = 0;
    }

    internal override void Release()
    {
        Memory.CountHeld((-items.Length * (long)Unsafe.SizeOf<T>()) - (forwards.Length * (long)sizeof(int)));
        used = filled = zeroed = 0;
        items = new T[0];
        forwards = [];
        forwardsEnd = 0;
        isLarge = false;
    }

    // The length up to which an array is kept: eight times the recent peak, and a few elements in any case.
    static int KeptLength(int peak) => Math.Max(8 * peak, fewElements);
}
