namespace ProtoBench.Codec.Reflection;

/// <summary>Makes the descriptors of a file: first all types, then what refers to them.</summary>
sealed class FileLinker
{
    const int maxFieldNumber = (1 << 29) - 1;

    // A file can have many types with short names in a package with a long one. All full names together are in proportion to the file.
    const int namesPerByte = 16, namesOfSmallFile = 1 << 16;

    // by the numbers of descriptor.proto, from 1 on
    static readonly FieldType[] fieldTypes =
    [
        FieldType.Double, FieldType.Float, FieldType.Int64, FieldType.UInt64, FieldType.Int32, FieldType.Fixed64, FieldType.Fixed32,
        FieldType.Bool, FieldType.String, FieldType.Group, FieldType.Message, FieldType.Bytes, FieldType.UInt32, FieldType.Enum,
        FieldType.SFixed32, FieldType.SFixed64, FieldType.SInt32, FieldType.SInt64,
    ];

    readonly FileDescriptor file;
    readonly FileSource source;
    readonly DescriptorFeatures features;
    readonly Func<string, object?> findImported;
    readonly List<(MessageDescriptor Message, MessageSource Source, DescriptorFeatures Features)> messages = [];
    long roomForNames;

    /// <param name="file">The file, with its name and its package.</param>
    /// <param name="source">The file as it was read.</param>
    /// <param name="findImported">Finds a type of an imported file by its full name.</param>
    public FileLinker(FileDescriptor file, FileSource source, Func<string, object?> findImported)
    {
        (this.file, this.source, this.findImported) = (file, source, findImported);
        features = DescriptorFeatures.Of(file.Edition);
        if (file.Syntax == FileSource.Editions) features = features.With(source.Features);
        roomForNames = namesOfSmallFile + ((long)namesPerByte * file.SerializedData.Length);
    }

    /// <summary>The messages, enums and services by their full names.</summary>
    public Dictionary<string, object> Types { get; } = [];

    /// <summary>All messages. Each is followed by those that are nested in it.</summary>
    public IEnumerable<MessageDescriptor> AllMessages => messages.Select(one => one.Message);

    /// <summary>Makes the messages, without their fields.</summary>
    public MessageDescriptor[] DeclareMessages()
    {
        if (file.Name.Length == 0) throw new FormatException("The file has no name.");
        if (file.Package.Length > 0)
        {
            foreach (var part in file.Package.Split('.')) CheckName(part, "The package");
        }

        return [.. source.Messages.Select(one => Declare(null, one, features))];
    }

    public EnumDescriptor[] DeclareEnums() => [.. source.Enums.Select(one => Declare(null, one, features))];

    /// <summary>Makes the fields of all messages.</summary>
    public void LinkMessages()
    {
        foreach (var (message, one, own) in messages) Link(message, one, own);
    }

    public FieldDescriptor[] LinkExtensions() => Extensions(source.Extensions, file.Package, features);

    public ServiceDescriptor[] LinkServices() => [.. source.Services.Select(one =>
    {
        var fullName = FullName(file.Package, one.Name);
        CheckUnique(one.Methods.Select(method => method.Name), fullName);
        var service = new ServiceDescriptor(file, fullName, one, method => (Message(method.Input), Message(method.Output)));
        Add(fullName, service);
        return service;

        MessageDescriptor Message(string name) => Find(name, fullName) as MessageDescriptor
            ?? throw new FormatException($"{fullName}: {name} is not a message.");
    })];

    MessageDescriptor Declare(MessageDescriptor? parent, MessageSource one, DescriptorFeatures outer)
    {
        var fullName = FullName(parent?.FullName ?? file.Package, one.Name);
        var message = new MessageDescriptor(file, parent, fullName, one);
        Add(fullName, message);
        var own = With(outer, one.Features);
        messages.Add((message, one, own));
        message.Complete(
            [.. one.Messages.Select(nested => Declare(message, nested, own))], [.. one.Enums.Select(type => Declare(message, type, own))]);
        return message;
    }

    EnumDescriptor Declare(MessageDescriptor? parent, EnumSource one, DescriptorFeatures outer)
    {
        var fullName = FullName(parent?.FullName ?? file.Package, one.Name);
        if (one.Values.Count == 0) throw new FormatException($"{fullName} has no values.");
        CheckUnique(one.Values.Select(value => value.Name), fullName);
        var type = new EnumDescriptor(file, parent, fullName, one, With(outer, one.Features));
        Add(fullName, type);
        return type;
    }

    void Link(MessageDescriptor message, MessageSource one, DescriptorFeatures own)
    {
        CheckUnique(one.Fields.Select(field => field.Name), message.FullName);
        var inOneof = new List<FieldDescriptor>[one.Oneofs.Count];
        for (var i = 0; i < inOneof.Length; i++) inOneof[i] = [];
        var oneofs = Oneofs(message, one);
        var fields = new FieldDescriptor[one.Fields.Count];
        for (var i = 0; i < fields.Length; i++)
        {
            var field = one.Fields[i];
            if (field.Extendee.Length > 0) throw new FormatException($"{message.FullName}.{field.Name} is an extension.");
            fields[i] = Make(field, message.FullName, message, field.OneofIndex is { } index ? oneofs[index] : null, own);
            if (field.OneofIndex is { } at) inOneof[at].Add(fields[i]);
        }

        foreach (var (oneof, members) in oneofs.Zip(inOneof)) oneof?.Complete(members);
        Array.Sort(fields, (left, right) => left.FieldNumber.CompareTo(right.FieldNumber));
        for (var i = 1; i < fields.Length; i++)
        {
            if (fields[i].FieldNumber == fields[i - 1].FieldNumber)
                throw new FormatException($"{fields[i - 1].FullName} and {fields[i].FullName} have the same number.");
        }

        if (message.IsMapEntry) CheckMapEntry(message, fields);
        message.Complete(fields, [.. oneofs.OfType<OneofDescriptor>()], Extensions(one.Extensions, message.FullName, own));
    }

    // by their indexes in the file; null for the oneof of an optional field of proto3
    static OneofDescriptor?[] Oneofs(MessageDescriptor message, MessageSource one)
    {
        var (members, optionals) = (new int[one.Oneofs.Count], new int[one.Oneofs.Count]);
        foreach (var field in one.Fields)
        {
            if (field.OneofIndex is not { } index)
            {
                if (field.IsProto3Optional) throw new FormatException($"{message.FullName}.{field.Name} is optional, but in no oneof.");
                continue;
            }

            if ((uint)index >= (uint)members.Length || field.IsRepeated || field.IsRequired)
                throw new FormatException($"{message.FullName}.{field.Name} cannot be in its oneof.");
            members[index]++;
            if (field.IsProto3Optional) optionals[index]++;
        }

        var (result, count) = (new OneofDescriptor?[members.Length], 0);
        for (var i = 0; i < result.Length; i++)
        {
            var name = one.Oneofs[i];
            CheckName(name, message.FullName);
            if (members[i] == 0) throw new FormatException($"{message.FullName}: the oneof {name} has no fields.");
            if (optionals[i] == 0) result[i] = new(message, name, count++);
            else if (members[i] > 1) throw new FormatException($"{message.FullName}: the oneof {name} is of an optional field.");
        }

        return result;
    }

    FieldDescriptor[] Extensions(List<FieldSource> extensions, string scope, DescriptorFeatures outer)
    {
        CheckUnique(extensions.Select(one => one.Name), scope);
        return [.. extensions.Select(one =>
        {
            var fullName = Join(scope, one.Name);
            if (one.OneofIndex is not null) throw new FormatException($"The extension {fullName} is in a oneof.");
            return Find(one.Extendee, fullName) is MessageDescriptor target ? Make(one, scope, target, null, outer)
                : throw new FormatException($"{fullName}: {one.Extendee} is not a message.");
        })];
    }

    FieldDescriptor Make(FieldSource one, string scope, MessageDescriptor message, OneofDescriptor? oneof, DescriptorFeatures outer)
    {
        var name = Join(scope, one.Name);
        if (one.Number is < 1 or > maxFieldNumber) throw new FormatException($"{name} has the number {one.Number}.");
        if (one.Type < 0 || one.Type > fieldTypes.Length) throw new FormatException($"{name} has the type {one.Type}.");

        // a descriptor may leave out whether a type is a message or an enum
        FieldType? declared = one.Type == 0 ? null : fieldTypes[one.Type - 1];
        var value = declared is null or FieldType.Message or FieldType.Group or FieldType.Enum ? Find(one.TypeName, name) : null;
        var type = declared ?? (value is EnumDescriptor ? FieldType.Enum : FieldType.Message);
        var isValid = type switch
        {
            FieldType.Message or FieldType.Group => value is MessageDescriptor,
            FieldType.Enum => value is EnumDescriptor,
            _ => true,
        };
        if (!isValid) throw new FormatException($"{name}: {one.TypeName} is a type of another kind.");
        var field = new FieldDescriptor(one, scope, message, oneof, type, value, With(outer, one.Features));
        if (field.MessageType is { IsMapEntry: true } entry
            && (!field.IsMap || field.IsExtension || type == FieldType.Group || entry.ContainingType != message))
            throw new FormatException($"{name}: {entry.FullName} is the entry of another map.");
        return field;
    }

    static void CheckMapEntry(MessageDescriptor message, FieldDescriptor[] fields)
    {
        if (fields is [{ FieldNumber: 1, IsRepeated: false, ContainingOneof: null } key,
            { FieldNumber: 2, IsRepeated: false, ContainingOneof: null }]
            && key.FieldType is not (FieldType.Double or FieldType.Float or FieldType.Bytes or FieldType.Enum or FieldType.Message
                or FieldType.Group)) return;
        throw new FormatException($"{message.FullName} is a map entry without a key and a value.");
    }

    object Find(string name, string user)
    {
        if (!name.StartsWith('.')) throw new FormatException($"{user}: the type '{name}' does not begin with a dot.");
        var fullName = name[1..];
        return Types.GetValueOrDefault(fullName) ?? findImported(fullName)
            ?? throw new FormatException($"{user}: the type {fullName} is missing.");
    }

    void Add(string fullName, object type)
    {
        if (!Types.TryAdd(fullName, type)) throw new FormatException($"{fullName} is defined twice.");
    }

    string FullName(string scope, string name)
    {
        CheckName(name, scope);
        var fullName = Join(scope, name);
        roomForNames -= fullName.Length;
        return roomForNames >= 0 ? fullName : throw new FormatException("The names of all types are too long.");
    }

    // proto2 and proto3 have no features
    DescriptorFeatures With(DescriptorFeatures outer, DescriptorFeatures own) =>
        file.Syntax == FileSource.Editions ? outer.With(own) : outer;

    static string Join(string scope, string name) => scope.Length == 0 ? name : $"{scope}.{name}";

    static void CheckUnique(IEnumerable<string> names, string scope)
    {
        var seen = new HashSet<string>();
        foreach (var name in names)
        {
            CheckName(name, scope);
            if (!seen.Add(name)) throw new FormatException($"{Join(scope, name)} is defined twice.");
        }
    }

    static void CheckName(string name, string scope)
    {
        if (name.Length == 0) throw new FormatException($"{(scope.Length == 0 ? "The file" : scope)}: a name is missing.");
        if (!name.All(c => char.IsAsciiLetterOrDigit(c) || c == '_')) throw new FormatException($"'{name}' is not a name.");
    }
}
