using System.CommandLine;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>The options that name a method of any service. ghz's names of the same options are aliases.</summary>
sealed class MethodOptions
{
    readonly Option<string[]> protos = Arguments.Many("--proto", "the .proto files of the service; without --method: its methods are listed");

    readonly Option<string[]> includes = Arguments.Many("--proto-path -I -i --import-paths", "folders in which imports are looked up");

    readonly Option<string?> set = Arguments.Option<string?>(
        "--protoset", "a FileDescriptorSet with the service (protoc --include_imports --descriptor_set_out), instead of --proto");

    readonly Option<string?> stream = Arguments.Option<string?>(
        "--stream", "the streams of a method without schema: replies (also without a value), requests or both");

    public MethodOptions()
    {
        stream.Arity = ArgumentArity.ZeroOrOne;
        stream.AcceptOnlyFromAmong("replies", "requests", "both");
    }

    public Option<string?> Method { get; } = Arguments.Option<string?>("--method --call", "the method: package.Service/Method");

    public IEnumerable<Option> All => [Method, protos, includes, set, stream];

    public bool HasSchema(ParseResult parsed) => parsed.GetValue(protos) is { Length: > 0 } || parsed.GetValue(set) is not null;

    public string PathOf(ParseResult parsed) => MethodSchema.PathOf(parsed.GetValue(Method)
        ?? throw new UsageException("--method is missing: package.Service/Method; --list shows those of a --target"));

    /// <summary>The method as the options describe it, where no schema does.</summary>
    public TargetMethod WithoutSchema(ParseResult parsed)
    {
        var streams = parsed.GetResult(stream) is { Implicit: false } ? parsed.GetValue(stream) ?? "replies" : "";
        return new(PathOf(parsed), streams is "replies" or "both", streams is "requests" or "both");
    }

    public static async Task ListAsync(IEnumerable<SchemaMethod> methods, TextWriter output)
    {
        foreach (var method in methods)
            await output.WriteLineAsync(method.ToString());
    }

    /// <summary>Returns the schema of the files; null if none are given.</summary>
    public async Task<ProtoSchema?> SchemaAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        if (parsed.GetValue(protos) is not { Length: > 0 } files)
            return parsed.GetValue(set) is { } one ? await ProtoSchema.LoadSetAsync(one, cancellationToken) : null;
        return parsed.GetValue(set) is null ? await ProtoSchema.LoadAsync(files, parsed.GetValue(includes) ?? [], cancellationToken)
            : throw new UsageException("--proto and --protoset: one of them describes the service");
    }
}
