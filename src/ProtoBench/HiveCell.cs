using System.Text.RegularExpressions;
using ProtoBench.Payloads;

namespace ProtoBench;

/// <summary>
/// The name of a hive cell, <c>{Verb}{Message}{Library}[_{Buffer}][_H|_A][_Cold]</c>, taken apart. Everything that a table says beside the time
/// (category, payload, library) is derived from it, so that no cell states a fact twice.
/// </summary>
/// <param name="Verb">Serialize, Measure, MeasureSerialize, Deserialize, DeserializeTouch or DeserializeStrings.</param>
/// <param name="Message">Request, Response or Mixed.</param>
/// <param name="Library">Google, GoogleBytes, PBN, Slab or Floor.</param>
/// <param name="Buffer">MS, CS, BA, ROM, ROS or BW; Copy or Walk for the floor; empty for Measure.</param>
/// <param name="Memory">H: leaves in recycled slab memory; A: leaves alias the caller's bytes; empty: the library's default.</param>
/// <param name="Cold">The payload is another copy at each operation.</param>
public sealed partial record HiveCell(string Verb, string Message, string Library, string Buffer, string Memory, bool Cold)
{
    /// <summary>Takes <paramref name="name"/> apart; null if it is not a hive cell's name.</summary>
    public static HiveCell? Parse(string name)
    {
        var match = Grammar().Match(name);
        if (!match.Success)
            return null;
        string Part(string group) => match.Groups[group].Value;
        return new(Part("verb"), Part("message"), Part("library"), Part("buffer"), Part("memory"), match.Groups["cold"].Success);
    }

    /// <summary>Bytes of the message on the wire.</summary>
    public int WireBytes => Message switch
    {
        "Request" => Hive.RequestBytes,
        "Response" => Hive.ResponseBytes,
        _ => Hive.MixedBytes,
    };

    [GeneratedRegex("""
        ^(?<verb>Serialize|MeasureSerialize|Measure|DeserializeTouch|DeserializeStrings|Deserialize)
        (?<message>Request|Response|Mixed)
        (?<library>GoogleBytes|Google|PBN|Slab|Floor)
        (_(?<buffer>MS|CS|BA|ROM|ROS|BW|Copy|Walk))?
        (_(?<memory>H|A))?
        (?<cold>_Cold)?$
        """, RegexOptions.IgnorePatternWhitespace | RegexOptions.ExplicitCapture)]
    private static partial Regex Grammar();
}
