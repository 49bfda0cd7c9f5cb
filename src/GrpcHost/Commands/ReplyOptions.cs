using System.CommandLine;
using ProtoBench.GrpcHost.Target;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Commands;

/// <summary>Options of a host that answers any method with prepared bytes.</summary>
sealed class ReplyOptions
{
    readonly MethodOptions method = new();

    readonly Option<string[]> reply =
        new("--reply")
        {
            Description =
            "prepared replies to --method: files or folders; taken in turn, or all of them by a method that streams",
            AllowMultipleArgumentsPerToken = true
        };

    readonly Option<(TimeSpan Mean, bool IsExponential)> delay = new("--delay")
    {
        Description = "the wait before each prepared reply: 5ms, or exp:5ms for an exponential distribution with that mean",
        CustomParser = ReplyDelay.Parse,
    };

    public IEnumerable<Option> All => [reply, .. method.All, delay];

    /// <summary>Whether the host is to answer with prepared bytes.</summary>
    public bool IsUsed(ParseResult parsed) =>
        parsed.GetValue(reply) is { Length: > 0 } || method.HasProtos(parsed) || parsed.GetValue(method.Method) is not null;

    /// <summary>The method that answers; null after the methods were listed instead.</summary>
    /// <exception cref="RunException">Something is missing or cannot be read.</exception>
    public async Task<RpcHandler?> ReadAsync(ParseResult parsed, TextWriter output, CancellationToken cancellationToken)
    {
        if (method.HasProtos(parsed) && parsed.GetValue(method.Method) is null)
        {
            await method.ListAsync(parsed, output, cancellationToken);
            return null;
        }

        var (schema, served, described) = await method.ReadAsync(parsed, cancellationToken);
        if (parsed.GetValue(reply) is not { Length: > 0 } files)
            throw new RunException(ExitCode.Usage, "--reply is missing: files or folders of prepared replies");
        var replies = await MethodSchema.ReadAsync(schema, described?.Reply, files, cancellationToken);
        var (mean, isExponential) = parsed.GetValue(delay);
        return PreparedReplies.Serve(served, replies, new(mean, isExponential, seed: 1));
    }
}
