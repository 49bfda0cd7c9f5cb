using System.Globalization;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the objects that stand for extensions, in classes with Google's names, and what an extended message needs.</summary>
static class ExtensionCode
{
    /// <summary>Writes the extensions that a file declares outside of its messages.</summary>
    public static void Write(CodeWriter code, ProtoFile file)
    {
        var types = new NameScope([.. file.Messages.Select(message => message.Name), .. file.Enums.Select(type => type.Name),
            .. file.Services.Select(one => one.Name)]);
        Write(code, file.Extensions, file, file.Access, "partial ", types.Take(CSharpCase.Pascal(Path.GetFileNameWithoutExtension(file.Descriptor.Name))
            + "Extensions"), file.Descriptor.Name);
    }

    /// <summary>Writes the extensions that a message declares.</summary>
    public static void Write(CodeWriter code, ProtoMessage message) =>
        Write(code, message.Extensions, message.File, "public", "", message.Names.Extensions, message.ProtoName);

    /// <summary>Writes the member of an extended message that gives its unknown fields to the runtime.</summary>
    public static void UnknownFields(CodeWriter code, ProtoMessage message)
    {
        var (self, names) = (message.TypeName, message.Names);
        code.Open($"static runtime::UnknownFields codec::IExtendableMessage<{self}>.GetUnknownFields({self} message, bool isChanged)");
        code.Line($"ref var fields = ref isChanged ? ref message.{names.Mutable}() : ref message.{names.Content}();");
        code.Line("return new(message.storage.Ranges, ref fields.Unknown);");
        code.Close();
        code.Line();
    }

    static void Write(
        CodeWriter code, List<ProtoField> extensions, ProtoFile file, string access, string modifier, string name, string scope)
    {
        if (extensions.Count == 0) return;
        code.Line($"/// <summary>Contains the extensions that {DocComment.Escape(scope)} declares.</summary>");
        code.Open($"{access} static {modifier}class {name}");
        var names = new NameScope(name);
        foreach (var extension in extensions)
        {
            var (type, value) = TypeOf(extension);
            DocComment.Write(code, file.Source.CommentOf(extension.Path), $"The extension {extension.Descriptor.Name} of "
                + $"{extension.Owner.ProtoName}.");
            if (extension.IsDeprecated) code.Line("[sys::Obsolete]");
            var last = extension.IsRepeated ? extension.IsPacked ? ", isPacked: true" : "" : Default(extension);
            code.Member($"public static readonly codec::{(extension.IsRepeated ? "Repeated" : "")}Extension<{extension.Owner.TypeName}, {type}> "
                + $"{names.Take(extension.PascalName)} = "
                + $"new({extension.Number.ToString(CultureInfo.InvariantCulture)}, runtime::ExtensionTypes.{value}{last});");
        }

        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    /// <summary>Gets the type of the value, and the member of the runtime that describes it.</summary>
    static (string Type, string Value) TypeOf(ProtoField extension)
    {
        if (extension.Message is { } message)
            return ($"codec::Message<{message.TypeName}>", $"Message<{message.TypeName}>({(extension.IsDelimited ? "isDelimited: true" : "")})");
        if (extension.Enum is { } type) return (type.TypeName, $"Enum<{type.TypeName}>()");
        if (extension.IsBytes) return extension.IsText ? ("string", "String") : ("byte[]", "Bytes");
        var kind = ScalarKind.Of(extension);
        return (kind.Stored, kind.Method);
    }

    static string Default(ProtoField extension)
    {
        if (extension.Message is not null) return "";
        if (!extension.IsBytes) return DefaultValue.Of(extension) is { } number ? ", " + number : "";
        if (DefaultValue.BytesOf(extension) is not { } bytes) return "";
        return extension.IsText ? ", " + Literal.Text(extension.Descriptor.DefaultValue)
            : $", new byte[] {{ {string.Join(", ", bytes.Select(one => one.ToString(CultureInfo.InvariantCulture)))} }}";
    }
}
