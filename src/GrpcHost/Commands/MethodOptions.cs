using System.CommandLine;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>The options that name a method of any service. ghz's names of the same options are aliases.</summary>
sealed class MethodOptions
{
    readonly Option<string[]> protos = Arguments.Many(
        "--proto",
        "the .proto files of the service, needed for JSON and text payloads; without --method: the methods of these files are listed");

    readonly Option<string[]> includes = Arguments.Many("--proto-path -I -i --import-paths", "folders in which imports are looked up");

    readonly Option<bool> stream = Arguments.Option<bool>("--stream", "without --proto: the method streams its replies");

    public Option<string?> Method { get; } = Arguments.Option<string?>("--method --call", "the method: package.Service/Method");

    public IEnumerable<Option> All => [Method, protos, includes, stream];

    public bool HasProtos(ParseResult parsed) => parsed.GetValue(protos) is { Length: > 0 };

    public async Task<(ProtoSchema? Schema, TargetMethod Method, SchemaMethod? Described)> ReadAsync(ParseResult parsed,
        CancellationToken cancellationToken)
    {
        var schema = await SchemaAsync(parsed, cancellationToken);
        var path = parsed.GetValue(Method) ?? throw new RunException(ExitCode.Usage, "--method is missing: package.Service/Method");
        var (method, described) = MethodSchema.Find(schema, path, parsed.GetValue(stream));
        return (schema, method, described);
    }

    public async Task ListAsync(ParseResult parsed, TextWriter output, CancellationToken cancellationToken)
    {
        foreach (var method in (await SchemaAsync(parsed, cancellationToken))!.Methods)
            await output.WriteLineAsync(method.ToString());
    }

    async Task<ProtoSchema?> SchemaAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        try
        {
            return parsed.GetValue(protos) is { Length: > 0 } files
                ? await ProtoSchema.LoadAsync(files, parsed.GetValue(includes) ?? [], cancellationToken) : null;
        }
        catch (SchemaException e)
        {
            throw new RunException(ExitCode.Usage, e.Message, e);
        }
    }
}
