using ProtoBench.Schemas;

namespace ProtoBench.New;

/// <summary>What the verb <c>new</c> was asked for.</summary>
/// <param name="Folder">The project's folder.</param>
/// <param name="Protos">The .proto files.</param>
/// <param name="Includes">Where imports are looked up.</param>
/// <param name="Message">Full name of the message.</param>
/// <param name="Payloads">Files and folders of captured messages.</param>
/// <param name="Synthesize">How many random messages to make; 0 for none.</param>
/// <param name="Synthesis">What they look like.</param>
sealed record NewRequest(
    string Folder, IReadOnlyList<string> Protos, IReadOnlyList<string> Includes, string Message, IReadOnlyList<string> Payloads,
        int Synthesize, SynthesisOptions Synthesis);
