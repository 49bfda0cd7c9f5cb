using System.Runtime.CompilerServices;
using BenchmarkDotNet.Running;
using ProtoBench.Libraries;
using ProtoBench.Running;

namespace ProtoBench.Columns;

/// <summary>How many bytes on the wire an operation of a cell moves.</summary>
static class WireBytes
{
    static readonly ConditionalWeakTable<BenchmarkCase, StrongBox<long>> known = [];

    /// <summary>From a hive cell's name, or from the cell's class; null where there are none.</summary>
    public static long? Of(BenchmarkCase cell)
    {
        if (HiveCell.Of(cell) is { } hive)
            return hive.WireBytes;
        return typeof(ISizedCells).IsAssignableFrom(cell.Descriptor.Type)
            ? known.GetValue(cell, static cell => new(Ask(cell))).Value : null;
    }

    static long Ask(BenchmarkCase cell)
    {
        var instance = (ISizedCells)Activator.CreateInstance(cell.Descriptor.Type)!;
        foreach (var parameter in cell.Parameters.Items.Where(item => !item.IsArgument))
            cell.Descriptor.Type.GetProperty(parameter.Name)!.SetValue(instance, parameter.Value);
        return instance.WireBytes(cell.Descriptor.WorkloadMethod.Name);
    }
}
