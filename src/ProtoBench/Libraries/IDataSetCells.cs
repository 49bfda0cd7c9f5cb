using System.Text.RegularExpressions;
using BenchmarkDotNet.Running;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Represents a class of cells of one data set, whose names are <c>{Verb}Set{Library}[_{Form}]</c>.</summary>
public partial interface IDataSetCells : ISizedCells
{
    /// <summary>Returns the sum that a DeserializeTouch, Serve or Call cell returns for the next message.</summary>
    long Sum(string cell);

    /// <summary>Gets the number of messages, which the operations of a cell take in turn.</summary>
    int Messages { get; }

    /// <summary>Returns the name of the data set: that of the class without the common suffix.</summary>
    static string NameOf(Type cells) => cells.Name.Replace("SetBenchmarks", "", StringComparison.Ordinal);

    /// <summary>Returns the facts about a cell for the result file; null for one that is not a data set's.</summary>
    static CellFacts? FactsOf(BenchmarkCase cell) =>
        typeof(IDataSetCells).IsAssignableFrom(cell.Descriptor.Type) && Name().Match(cell.Descriptor.WorkloadMethod.Name) is { } name
            ? new(name.Groups["verb"].Value, NameOf(cell.Descriptor.Type), name.Groups["library"].Value, null,
                name.Groups["form"] is { Success: true } form ? form.Value : null, null)
            : null;

    /// <summary>Gets the JSON that Google.Protobuf writes.</summary>
    string Json { get; }

    /// <summary>Returns the output of the last cell that writes.</summary>
    byte[] Written();

    /// <param name="cell">The name of the method, or of the library in it.</param>
    byte[] Message(string cell);

    /// <summary>Returns what the Serve cell of a library writes for the next message.</summary>
    byte[] Reply(string cell);

    /// <summary>Returns the content of the result of a Deserialize cell, as Google.Protobuf writes it.</summary>
    byte[] ContentOf(object message);

    /// <summary>Stops the service of the Call cells.</summary>
    Task StopAsync();

    /// <exception cref="ValidationException">A library reads or writes something else. The message names it.</exception>
    void Check();

    [GeneratedRegex("^(?<verb>[A-Za-z]+)Set(?<library>[A-Za-z]+)(_(?<form>[A-Za-z]+))?$", RegexOptions.ExplicitCapture)]
    private static partial Regex Name();
}
