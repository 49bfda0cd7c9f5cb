using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates an optional file: conversions between the messages of a .proto file and Google's classes of the same messages. A
/// conversion serializes and parses the message.</summary>
static class GoogleConversions
{
    public static string Write(ProtoFile file)
    {
        var code = new CodeWriter();
        FileCode.Head(code, file);
        var types = new NameScope(
            [.. file.Messages.Select(message => message.Descriptor.Name), .. file.Enums.Select(type => type.Descriptor.Name),
                .. file.Services.Select(service => service.Descriptor.Name)]);
        code.Line($"/// <summary>Provides conversions between the messages of {DocComment.Escape(file.Descriptor.Name)} and "
            + $"Google's classes.</summary>");
        code.Open($"{file.Access} static class "
            + $"{types.Take(CSharpCase.Pascal(Path.GetFileNameWithoutExtension(file.Descriptor.Name)) + "Conversions")}");
        foreach (var message in file.AllMessages.Where(message => !message.IsMapEntry)) Write(code, message);
        code.TrimEmptyLine();
        code.Close();
        foreach (var service in file.Services) Write(code, service);
        return code.ToString();
    }

    static void Write(CodeWriter code, ProtoMessage message)
    {
        var google = GoogleName(message);
        code.Line("/// <summary>Converts a slab message to Google's message with the same content.</summary>");
        code.Member($"public static {google} ToGoogle(this {message.TypeName} message) => "
            + $"{google}.Parser.ParseFrom(message.{message.Names.ToByteArray}());");
        code.Line("/// <summary>Converts Google's message to a slab message with the same content. The caller must dispose it.</summary>");
        code.Open($"public static codec::Message<{message.TypeName}> ToSlab(this {google} message)");
        code.Line($"var result = codec::Message<{message.TypeName}>.Rent();");
        code.Open("try");
        code.Line("result.Parse(global::Google.Protobuf.MessageExtensions.ToByteArray(message));");
        code.Line("return result;");
        code.Close();
        code.Open("catch");
        code.Line("result.Dispose();");
        code.Line("throw;");
        code.Close();
        code.Close();
        code.Line();
    }

    /// <summary>Writes the member that gRPC reflection requires, in addition to a service's base class.</summary>
    static void Write(CodeWriter code, ProtoService service)
    {
        code.Line();
        code.Open($"{service.File.Access} static partial class {service.Name}");
        code.Line("/// <summary>Gets Google's descriptor of the service.</summary>");
        code.Line($"public static global::Google.Protobuf.Reflection.ServiceDescriptor {service.DescriptorProperty} =>");
        code.Indent();
        code.Line($"{Scope(service.File)}{ReflectionClass(service.File)}.Descriptor.Services[{service.Index}];");
        code.Unindent();
        code.Close();
    }

    /// <summary>Gets the name of the class in which Google's generator puts the description of a file.</summary>
    static string ReflectionClass(ProtoFile file) =>
        CSharpCase.Pascal(Path.GetFileNameWithoutExtension(file.Descriptor.Name)) + "Reflection";

    static string Scope(ProtoFile file)
    {
        var scope = Identifier.EscapeParts(file.GoogleNamespace);
        return scope.Length == 0 ? "global::" : $"global::{scope}.";
    }

    /// <summary>Gets the qualified name of Google's class of a message.</summary>
    public static string GoogleName(ProtoMessage message) => TypeName(message);

    /// <summary>Gets the qualified name of Google's type of a message or an enum.</summary>
    public static string TypeName(object type)
    {
        var (name, file, parent) = type is ProtoEnum one
            ? (one.Descriptor.Name, one.File, one.Parent) : type is ProtoMessage message
            ? (message.Descriptor.Name, message.File, message.Parent) : throw new ArgumentException("It is no type.", nameof(type));
        return (parent is null ? Scope(file) : TypeName(parent) + ".Types.") + Identifier.Escape(name);
    }
}
