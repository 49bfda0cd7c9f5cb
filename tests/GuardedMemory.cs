using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Testing;

/// <summary>Pages between two pages that nobody may read or write: an access outside of them ends the process.</summary>
#pragma warning disable CA2216 // a finalizer could take the pages away from a span; every test disposes of them
sealed class GuardedMemory : MemoryManager<byte>
#pragma warning restore CA2216
{
    const int readAndWrite = 3;
    const int privateMapping = 2;

    readonly int pageSize = Environment.SystemPageSize;
    readonly int length;
    readonly nint mapping;

    /// <param name="length">Bytes that are wanted; the memory has so many, rounded up to pages.</param>
    public GuardedMemory(int length)
    {
        this.length = (length + pageSize - 1) / pageSize * pageSize;
        var anonymous = OperatingSystem.IsMacOS() ? 0x1000 : 0x20;
        mapping = Map(0, (nuint)(this.length + (2 * pageSize)), readAndWrite, privateMapping | anonymous, -1, 0);
        if (mapping is 0 or -1) throw new InvalidOperationException("mmap failed");
        if (Protect(mapping, (nuint)pageSize, 0) != 0 || Protect(mapping + pageSize + this.length, (nuint)pageSize, 0) != 0)
            throw new InvalidOperationException("mprotect failed");
    }

    public static bool IsSupported => OperatingSystem.IsLinux() || OperatingSystem.IsMacOS();

    /// <summary>A copy of bytes that begins behind the first guard.</summary>
    public ReadOnlyMemory<byte> AtStart(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan());
        return Memory[..bytes.Length];
    }

    /// <summary>A copy of bytes that ends before the last guard.</summary>
    public ReadOnlyMemory<byte> AtEnd(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Last(bytes.Length));
        return Memory[^bytes.Length..];
    }

    public Span<byte> Last(int count) => GetSpan()[^count..];

    public override Span<byte> GetSpan() =>
        MemoryMarshal.CreateSpan(ref Unsafe.AddByteOffset(ref Unsafe.NullRef<byte>(), mapping + pageSize), length);

    public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing) => _ = Unmap(mapping, (nuint)(length + (2 * pageSize)));

    [DllImport("libc", EntryPoint = "mmap"), DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern nint Map(nint address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc", EntryPoint = "mprotect"), DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int Protect(nint address, nuint length, int protection);

    [DllImport("libc", EntryPoint = "munmap"), DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int Unmap(nint address, nuint length);
}
