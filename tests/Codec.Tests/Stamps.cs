using System.Reflection;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>Reads and sets the stamps of a message's storages, which nobody would reach by waiting.</summary>
static class Stamps
{
    static readonly FieldInfo stamp = typeof(Storage).GetField("stamp", BindingFlags.Instance | BindingFlags.NonPublic)!;
    static readonly FieldInfo firstStamp = typeof(Storage).GetField("firstStamp", BindingFlags.Instance | BindingFlags.NonPublic)!;

    public static int Of(Note note) => (int)stamp.GetValue(StorageOf(note))!;

    public static void SetNearEnd(Note note)
    {
        foreach (var field in new[] { stamp, firstStamp }) field.SetValue(StorageOf(note), int.MaxValue - 3);
    }

    static object StorageOf(Note note) => typeof(Note).GetField("storage", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(note)!;
}
