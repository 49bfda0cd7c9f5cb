using Microsoft.CodeAnalysis;

namespace ProtoBench.Codec.Analyzers;

/// <summary>What is reported. Each sentence says what ends, when, and what to write instead.</summary>
static class Rules
{
    public static readonly DiagnosticDescriptor Stored = Rule("SLAB201", "A view is stored and outlives its message",
        "'{0}' is stored in '{1}', but {2}. {3}.");

    public static readonly DiagnosticDescriptor Captured = Rule("SLAB202", "Code that may run later uses a view",
        "Code that may run later uses {0}, but {1}. {2}, or await this code.");

    public static readonly DiagnosticDescriptor Returned = Rule("SLAB203", "A view leaves the method that disposes its message",
        "'{0}' leaves the method, but {1}. {2}, or return the message and let the caller dispose it.");

    public static readonly DiagnosticDescriptor Ended = Rule("SLAB204", "A view is used after its end",
        "'{0}' is used after its end, because {1} (line {2}). Take a new view, or before that line {3}.");

    public static readonly DiagnosticDescriptor Buffered = Rule("SLAB205", "The views of a stream are kept over reads",
        "'{0}' keeps views while it reads further messages, but each read ends the view before it. Map the messages first, as in"
        + " '.Select(one => {1})'.");

    public static readonly DiagnosticDescriptor InputChanged = Rule("SLAB206", "The input of ParseAlias changes while it is in use",
        "'{0}' refers to the memory of '{1}', which '{2}' (line {3}) has changed. Use Parse, which copies the input.");

    public static readonly DiagnosticDescriptor OldList = Rule("SLAB207", "A list is used after its field has changed",
        "'{0}' has the elements of the time before '{1}' (line {2}). Take the list from the message again.");

    public static readonly DiagnosticDescriptor Threads = Rule("SLAB208", "Several threads change one message",
        "'{0}' runs on several threads, but one thread changes a message at a time. Calculate in the threads, and change the message after"
        + " them.");

    public static readonly DiagnosticDescriptor Pending = Rule("SLAB209", "A message changes while a call may be sending it",
        "'{0}' is {1} here, but the call (line {2}) may still be sending it. Await the call first.");

    public static readonly DiagnosticDescriptor SharedCall = Rule("SLAB210", "A call is returned a second time",
        "'{0}' is one call for all callers, and its reply can be taken once. Make a call in the method.");

    public static readonly DiagnosticDescriptor NoGoogleMessage = Rule("SLAB211", "A slab message is not an IMessage",
        "No slab message is an IMessage, so '{0}' does not see the messages of slab stubs. Test for GrpcMessage too.");

    public static readonly DiagnosticDescriptor NoMemory = Rule("SLAB212", "A message without memory",
        "'new {0}()' has no memory, so its members throw NullReferenceException. Write 'using var message = {0}.Rent();', and use"
        + " 'message.Value'.");

    public static readonly DiagnosticDescriptor GoogleCall = Rule("SLAB213", "A call of Google's classes",
        "A slab message has other members than a message of Google's. Write '{0}'.");

    static DiagnosticDescriptor Rule(string id, string title, string text) =>
        new(id, title, text, "ProtoBench.Lifetime", DiagnosticSeverity.Warning, isEnabledByDefault: true);
}
