namespace ProtoBench.New;

/// <summary>The program: which libraries are compared.</summary>
static class ProgramFile
{
    public static string Write(ProjectNames names) => $$"""
        using Google.Protobuf;
        using ProtoBench.Codec;
        using ProtoBench.Harness;

        // Every library reads each payload and writes it back before anything is measured: see the list below.
        List<MeasuredLibrary> libraries =
        [
            new("Google", MeasuredLibrary.VersionOf("Google.Protobuf", typeof(IMessage)), payload => {{names.Google}}.Parser.ParseFrom(payload).ToByteArray()),
            new("Slab", MeasuredLibrary.VersionOf("ProtoBench.Codec", typeof(Message<{{names.Slab}}>)), payload =>
            {
                using var message = {{names.Slab}}.Rent();
                message.Parse(payload);
                return message.ToByteArray();
            }),
        ];
        AddProtobufNet(libraries);

        return new BenchmarkProgram(typeof({{names.Class}}), {{names.Google}}.Parser, libraries).Start(args, () => Captured.Payloads);

        partial class Program
        {
            // Does nothing where protobuf-net is left out.
            static partial void AddProtobufNet(List<MeasuredLibrary> libraries);
        }

        """;
}
