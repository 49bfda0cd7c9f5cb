using System.Reflection;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Checks for schemas that are refused, because the code for them would be wrong. docs/codec.md lists the codes.</summary>
static class Restrictions
{
    // namespaces that generated code and every project use
    static readonly string[] used =
    [
        "System", "System.Buffers", "System.ComponentModel", "System.Runtime", "System.Runtime.CompilerServices",
        "System.Runtime.InteropServices", "Microsoft", "ProtoBench", "ProtoBench.Codec", "ProtoBench.Codec.Runtime",
        "ProtoBench.Codec.Reflection", "ProtoBench.Codec.WellKnownTypes",
    ];

    // the files whose messages the packages have, in the namespace where they have them
    static readonly HashSet<(string Package, string Namespace)> ofPackages =
    [
        ("google.protobuf", "ProtoBench.Codec.WellKnownTypes"), ("google.rpc", "ProtoBench.Codec.Grpc.Errors"),
        ("grpc.health.v1", "ProtoBench.Codec.Grpc.Health"),
    ];

    /// <summary>The public types of the packages that are not generic. A type of the schema cannot have one of these names.</summary>
    public static IReadOnlySet<string> PublicTypes { get; } = new HashSet<string>(
    [
        .. In("ProtoBench.Codec", "Bytes BytesList MessageInitializers ParseLimits ProtoExtensions ProtoJson ProtoJsonException ProtoJsonOptions ProtoJsonTypes RecycledMessages Utf8String Utf8StringList Utf8StringPool WireError "
            + "WireFormatException"),
        .. In("ProtoBench.Codec.Runtime", "ByteRange ContentHash DefaultValue ElementRange ExtensionTypes IPrinter MapKey MapRange MessageMemory RequiredField "
            + "ScalarWriter Storage TextPrinter UnknownFields WireReader WireSize WireWriter"),
        .. In("ProtoBench.Codec.Reflection", "EnumDescriptor EnumValueDescriptor FieldDescriptor FieldType FileDescriptor MessageDescriptor "
            + "MethodDescriptor OneofDescriptor ServiceDescriptor"),
        .. In("ProtoBench.Codec.WellKnownTypes", "AnyReflection ApiReflection DurationReflection EmptyReflection FieldMaskReflection "
            + "SourceContextReflection StructReflection TimestampReflection TypeReflection WrappersReflection "
            + "Any AnyConversions Api BoolValue BytesValue DoubleValue Duration DurationArithmetic DurationConversions Empty "
            + "Enum EnumValue Field FieldMask FieldMaskMergeOptions FieldMaskOperations FloatValue Int32Value Int64Value "
            + "ListValue Method Mixin NullValue Option SourceContext StringValue Struct Syntax Timestamp "
            + "TimestampArithmetic TimestampConversions Type UInt32Value UInt64Value Value"),
        .. In("ProtoBench.Codec.Grpc", "CallMessage EncodedReplies GrpcMessage ISlabService SlabServiceAttribute SlabServiceBinder SlabTestCalls"),
        .. In("ProtoBench.Codec.Grpc.AspNetCore", "SlabHealthOptions"),
        .. In("ProtoBench.Codec.Grpc.Errors", "BadRequest DebugInfo ErrorDetailsReflection ErrorInfo Help LocalizedMessage PreconditionFailure "
            + "QuotaFailure RequestInfo ResourceInfo RetryInfo RpcError Status StatusExtensions StatusReflection"),
        .. In("ProtoBench.Codec.Grpc.Health", "Health HealthCheckRequest HealthCheckResponse HealthListRequest HealthListResponse "
            + "HealthReflection"),
        .. In("Microsoft.Extensions.DependencyInjection", "SlabHealthExtensions SlabMessagesExtensions SlabReflectionExtensions"),
        .. In("ProtoBench.Allocators", "Arena CountedMemory DiagnosticSlabPool ExhaustionBehavior Rental RentalKind Slab SlabBufferWriter "
            + "SlabPool SlabPoolExhaustedException SlabPoolOptions SlabPoolSnapshot SlabPoolTrimReason SlabPoolTrimmingEventArgs SlabSlice "
            + "SliceAllocator"),
    ]);

    public static bool CheckEdition(ProtoFile file, Diagnostics diagnostics)
    {
        if (file.Descriptor.Syntax != "editions" || file.Descriptor.Edition <= Features.Newest) return true;
        diagnostics.Error(file, [FileDescriptorProto.EditionFieldNumber], "SLAB001",
            "This edition is not supported. The newest that is supported is 2024.");
        return false;
    }

    /// <summary>Checks the types of imported files. The generated code does not compile if no code is generated for such a type: if the
    /// import is not an item of the build, or is descriptor.proto, which is not in the runtime.</summary>
    public static void CheckImports(ProtoFile file, Diagnostics diagnostics)
    {
        foreach (var field in file.AllMessages.SelectMany(message => message.Fields))
        {
            if ((field.Message?.File ?? field.Enum?.File) is not { } other || other.IsInRuntime) continue;
            if (other.Item is not null)
            {
                CheckAccess(file, field.Path, field.Descriptor.Name, other, diagnostics);
                continue;
            }

            diagnostics.Error(file, field.Path, "SLAB009",
                $"The type of '{field.Descriptor.Name}' is in {other.Descriptor.Name}, which is no SlabProtobuf item. Add it, with "
                    + $"Generate=\"false\" if a referenced project has its messages.");
        }

        foreach (var method in file.Services.SelectMany(service => service.Methods))
        {
            foreach (var message in new[] { method.Request.File, method.Response.File }.Distinct())
                CheckAccess(file, method.Path, method.Descriptor.Name, message, diagnostics);
            if (new[] { method.Request.File, method.Response.File }.FirstOrDefault(other => other.Item is null && !other.IsInRuntime)
                is not { } other) continue;
            diagnostics.Error(file, method.Path, "SLAB009",
                $"A message of '{method.Descriptor.Name}' is in {other.Descriptor.Name}, which is no SlabProtobuf item. Add it, with "
                    + $"Generate=\"false\" if a referenced project has its messages.");
        }
    }

    static void CheckAccess(ProtoFile file, IReadOnlyList<int> path, string name, ProtoFile other, Diagnostics diagnostics)
    {
        if (other.Access == "internal" && file.Access == "public")
            diagnostics.Error(file, path, "SLAB016",
                $"The type of '{name}' is in {other.Descriptor.Name}, whose types are internal. Add Access=\"Internal\" to the item of this file, too.");
    }

    /// <summary>Checks that the generated types and Google's types are in different namespaces. A conversion is between two types, which
    /// cannot have the same name. Only the metadata Namespace can choose the namespace of Google's classes.</summary>
    public static void CheckConversions(ProtoFile file, Diagnostics diagnostics)
    {
        if (file.Item is not { HasGoogleConversions: true } || file.Namespace != file.GoogleNamespace) return;
        diagnostics.Error(file, [], "SLAB008",
            $"Namespace=\"{file.Namespace}\" is the namespace of Google's classes. With GoogleConversions=\"true\" the slab messages need "
                + $"another one: remove Namespace for {ProtoFile.BesideGoogle(file.Descriptor)}.");
    }

    /// <summary>Checks that every part of a namespace is a valid name, because the namespace is written without changes.</summary>
    public static void CheckNamespace(ProtoFile file, Diagnostics diagnostics)
    {
        if (file.Item is { Namespace.Length: > 0 } item) Check(item.Namespace, "the metadata Namespace", []);
        if (file.Descriptor.Options?.CsharpNamespace is { Length: > 0 } own)
            Check(own, "option csharp_namespace",
                [FileDescriptorProto.OptionsFieldNumber, Google.Protobuf.Reflection.FileOptions.CsharpNamespaceFieldNumber]);

        void Check(string name, string source, IReadOnlyList<int> path)
        {
            if (name.Split('.').FirstOrDefault(part => !Identifier.IsValid(part)) is { } part)
                diagnostics.Error(file, path, "SLAB011", $"'{part}' is no name of a C# namespace. It is in {source}: '{name}'.");
        }
    }

    /// <summary>Checks that no namespace has the name of a type in the same scope, because such code does not compile.</summary>
    public static void CheckNamespaces(IReadOnlyList<ProtoFile> files, Diagnostics diagnostics)
    {
        var namespaces = files.Where(file => file.Namespace.Length > 0).SelectMany(file => Prefixes(file.Namespace)).ToHashSet();
        namespaces.UnionWith(used);
        if (files.Any(file => file.Services.Count > 0)) namespaces.UnionWith(["Grpc", "Grpc.Core", "ProtoBench.Codec.Grpc"]);
        if (files.Any(file => file.Item?.HasGoogleConversions == true)) namespaces.UnionWith(["Google", "Google.Protobuf"]);
        foreach (var file in files)
        {
            foreach (var (name, path) in file.Messages.Select(one => (one.Descriptor.Name, one.Path))
                .Concat(file.Enums.Select(one => (one.Descriptor.Name, one.Path)))
                .Concat(file.Services.Select(one => (one.Descriptor.Name, one.Path))))
            {
                if (namespaces.Contains(In(file.Namespace, name)))
                    diagnostics.Error(file, path, "SLAB004",
                        $"'{In(file.Namespace, name)}' is also a C# namespace of these files or of generated code. Choose another one with option csharp_namespace.");
                else if (file.Item is { HasGoogleConversions: true } && namespaces.Contains(In(file.GoogleNamespace, name)))
                    diagnostics.Error(file, path, "SLAB004",
                        $"'{In(file.GoogleNamespace, name)}' is a class of Google's, and also a C# namespace of slab messages. Choose another one with the metadata Namespace.");
            }
        }

        static string In(string scope, string name) => scope.Length == 0 ? name : $"{scope}.{name}";
    }

    /// <summary>Checks that the default values of strings are UTF-8, and that those of numbers have no zero character. In a descriptor,
    /// protoc reads a number up to such a character.</summary>
    /// <param name="files">The files, in the order of their descriptors.</param>
    /// <param name="isReplaced">Whether a text of a descriptor is not UTF-8.</param>
    /// <param name="diagnostics">The errors are added here.</param>
    public static void CheckDefaults(IReadOnlyList<ProtoFile> files, Func<int, IEnumerable<int>, bool> isReplaced, Diagnostics diagnostics)
    {
        for (var i = 0; i < files.Count; i++)
        {
            if (!files[i].IsGenerated) continue;
            var extensions = files[i].AllMessages.SelectMany(message => message.Extensions).Concat(files[i].Extensions);
            foreach (var field in files[i].AllMessages.SelectMany(message => message.Fields).Concat(extensions))
            {
                int[] path = [.. field.Path, FieldDescriptorProto.DefaultValueFieldNumber];
                if (field.Type is not (FieldDescriptorProto.Types.Type.String or FieldDescriptorProto.Types.Type.Bytes)
                    && field.Descriptor.DefaultValue.Contains('\0'))
                    diagnostics.Error(files[i], path, "SLAB012", $"The default value of '{field.Descriptor.Name}' has a zero character.");
                if (isReplaced(i, path))
                    diagnostics.Error(files[i], path, "SLAB012",
                        $"The default value of '{field.Descriptor.Name}' is not UTF-8. A field of type bytes can have such a value.");
            }
        }
    }

    /// <summary>Checks that types have different names. Files of several packages can have the same namespace.</summary>
    public static void CheckTypeNames(IEnumerable<ProtoFile> files, Diagnostics diagnostics)
    {
        var first = new Dictionary<string, ProtoFile>();
        foreach (var file in files)
        {
            foreach (var (name, path) in file.Messages.Select(one => (one.TypeName, one.Path))
                .Concat(file.Enums.Select(one => (one.TypeName, one.Path)))
                .Concat(file.Services.Select(one => (one.TypeName, one.Path))))
            {
                var other = !first.TryAdd(name, file) ? first[name].Descriptor.Name : OwnerOf(name["global::".Length..]);
                if (other is null || ofPackages.Contains((file.Descriptor.Package, file.Namespace))) continue;
                diagnostics.Error(file, path, "SLAB010", $"'{name["global::".Length..]}' is also a type of {other}. "
                    + "Choose another namespace with option csharp_namespace, or with the metadata Namespace.");
            }
        }
    }

    /// <summary>Gets the owner of a public type that projects with generated code refer to; null if there is no such type.</summary>
    static string? OwnerOf(string type)
    {
        if (PublicTypes.Contains(type)) return "the packages of the codec";
        if (!type.StartsWith("System.", StringComparison.Ordinal) && !type.StartsWith("Microsoft.", StringComparison.Ordinal)) return null;

        // The assemblies of the .NET that runs the generator.
        var assemblies = ((string?)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") ?? "").Split(Path.PathSeparator)
            .Select(Path.GetFileNameWithoutExtension).Where(name => name!.StartsWith("System", StringComparison.Ordinal)
                || name.StartsWith("Microsoft.", StringComparison.Ordinal));
        return assemblies.Any(name => Assembly.Load(name!).GetType(type) is { IsPublic: true }) ? ".NET" : null;
    }

    static IEnumerable<string> In(string name, string types) => types.Split(' ').Select(type => $"{name}.{type}");

    static IEnumerable<string> Prefixes(string name)
    {
        for (var dot = name.IndexOf('.', StringComparison.Ordinal); dot >= 0; dot = name.IndexOf('.', dot + 1)) yield return name[..dot];
        yield return name;
    }
}
