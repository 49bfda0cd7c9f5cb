using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>All files of one run, imports too, with every type found and named.</summary>
sealed class Schema
{
    readonly Dictionary<string, ProtoMessage> messages = [];
    readonly Dictionary<string, ProtoEnum> enums = [];
    readonly List<ProtoFile> files = [];

    /// <param name="descriptors">What protoc wrote: each file behind its imports.</param>
    /// <param name="arguments">Where the files lie, and their namespaces.</param>
    /// <param name="diagnostics">Takes what is refused.</param>
    public Schema(IEnumerable<FileDescriptorProto> descriptors, Arguments arguments, Diagnostics diagnostics)
    {
        foreach (var descriptor in descriptors)
        {
            var item = arguments.Find(descriptor.Name);
            var file = new ProtoFile(descriptor, item, Protoc.FindFile(descriptor.Name, arguments));
            files.Add(file);
            Restrictions.CheckNamespace(file, diagnostics);
            if (!Restrictions.CheckEdition(file, diagnostics)) continue;
            new TypeCollector(file, messages, enums).Collect();
        }

        foreach (var message in messages.Values) new FieldCollector(message, messages, enums).Collect();
        foreach (var message in messages.Values) MemberNames.Assign(message);
        foreach (var file in files.Where(file => file is { IsGenerated: true, Item.Services: not GrpcServices.None }))
            file.Services.AddRange(file.Descriptor.Service.Select((_, i) => new ProtoService(file, i, messages)));
        RequiredFields.Mark(messages.Values);
        foreach (var file in files.Where(file => file.IsGenerated))
        {
            Restrictions.Check(file, diagnostics);
            Restrictions.CheckImports(file, diagnostics);
            Restrictions.CheckConversions(file, diagnostics);
        }

        Restrictions.CheckNamespaces(files, diagnostics);
        Restrictions.CheckTypeNames(files.Where(file => file.IsGenerated), diagnostics);
    }

    public IReadOnlyList<ProtoFile> Files => files;
}
