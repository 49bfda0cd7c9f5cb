using System.Reflection;
using ProtoBench.Payloads;

namespace ProtoBench.Libraries;

/// <summary>
/// One library as the gate, the tests and the tables' heads see it. Never used inside a measurement: there the cell calls the library itself.
/// </summary>
/// <param name="Cell">How cells spell it: Google, PBN.</param>
/// <param name="Package">The package's name.</param>
/// <param name="Assembly">What is really loaded; its version goes into every table.</param>
/// <param name="ParseRequest">Bytes to the library's ForwardRequest.</param>
/// <param name="ParseResponse">Bytes to the library's ForwardResponse.</param>
/// <param name="Write">A message of this library to bytes.</param>
/// <param name="CensusOf">What a message of this library holds; null for anything else.</param>
/// <param name="Mixed">How the library writes the Mixed payload that it has read: does it keep unknown fields?</param>
public sealed record HiveLibrary(
    string Cell,
    string Package,
    Assembly Assembly,
    Func<byte[], object> ParseRequest,
    Func<byte[], object> ParseResponse,
    Func<object, byte[]> Write,
    Func<object, Census?> CensusOf,
    MixedOrder Mixed)
{
    /// <summary>Package and version, as every table names it: "Google.Protobuf 3.25.1".</summary>
    public string PackageAndVersion => $"{Package} {Version}";

    /// <summary>The version that is loaded. What follows a plus is the commit that it was built from, and is left away.</summary>
    public string Version => (Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? Assembly.GetName().Version?.ToString() ?? "?").Split('+')[0];
}
