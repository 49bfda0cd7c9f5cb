using System.Text.RegularExpressions;
using BenchmarkDotNet.Running;
using ProtoBench.Results;
using ProtoBench.Running;
using ProtoBench.Validation;

namespace ProtoBench.Libraries;

/// <summary>A class of cells of one data set, whose names are <c>{Verb}Set{Library}[_{Form}]</c>.</summary>
public partial interface IDataSetCells : ISizedCells
{
    /// <summary>The sum that DeserializeTouch cells return.</summary>
    long Sum { get; }

    /// <summary>The data set's name: that of the class, without what all of them end with.</summary>
    /// <param name="cells">The class.</param>
    static string NameOf(Type cells) => cells.Name.Replace("SetBenchmarks", "", StringComparison.Ordinal);

    /// <summary>What the result file says of a cell; null for one that is not a data set's.</summary>
    static CellFacts? FactsOf(BenchmarkCase cell) =>
        typeof(IDataSetCells).IsAssignableFrom(cell.Descriptor.Type) && Name().Match(cell.Descriptor.WorkloadMethod.Name) is { } name
            ? new(name.Groups["verb"].Value, NameOf(cell.Descriptor.Type), name.Groups["library"].Value, null,
                name.Groups["form"] is { Success: true } form ? form.Value : null, null)
            : null;

    /// <summary>What the last Serialize cell wrote.</summary>
    byte[] Written();

    /// <summary>The message in the format of a cell.</summary>
    /// <param name="cell">The method's name, or the library's in it.</param>
    byte[] Message(string cell);

    /// <summary>The content of what a Deserialize cell returned, as Google.Protobuf writes it.</summary>
    byte[] ContentOf(object message);

    /// <summary>Checks that all libraries agree on the content.</summary>
    /// <exception cref="ValidationException">A library reads or writes something else; the message names it.</exception>
    void Check();

    [GeneratedRegex("^(?<verb>[A-Za-z]+)Set(?<library>[A-Za-z]+)(_(?<form>[A-Za-z]+))?$", RegexOptions.ExplicitCapture)]
    private static partial Regex Name();
}
