using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code that differs between layouts: the methods of a message, the calls of these methods, and the sizes.</summary>
/// <param name="message">The message.</param>
/// <param name="hasMaximum">Whether the message has a maximum size on the wire, and code for a writer that has room for it.</param>
abstract class LayoutCode(ProtoMessage message, bool hasMaximum)
{
    public const string Inline = "[jit::MethodImpl(jit::MethodImplOptions.AggressiveInlining)]";

    public static LayoutCode Of(ProtoMessage message) => message.Layout switch
    {
        Layout.Fixed => new FixedCode(message),
        Layout.Small => new SmallCode(message),
        Layout.FewNumbers => new InlinedCode(message, hasMaximum: true),
        Layout.Few => new InlinedCode(message, hasMaximum: false),
        Layout.Numbers => new CalledCode(message, hasMaximum: true),
        Layout.Flat => new CalledCode(message, hasMaximum: false),
        Layout.Nested or Layout.OnePass or Layout.Sized or Layout.Checked => new NestedCode(message),
        _ => throw new ArgumentException($"The layout of {message.ProtoName} has no code.", nameof(message)),
    };

    protected ProtoMessage Message => message;

    protected string Storage => message.Names.Storage;

    protected string Fields => message.Names.Fields;

    /// <summary>The methods of the message, in the code of any other message.</summary>
    protected string Code => $"{message.TypeName}.{Storage}";

    /// <summary>The attribute of the methods that read and write the message.</summary>
    public abstract string Inlining { get; }

    /// <summary>The parameter for a message that is read: its fields, or its index if the array may grow during the read.</summary>
    public abstract string Parameter { get; }

    /// <summary>The parameter of the method that reads the message as a group.</summary>
    public abstract string GroupParameter { get; }

    /// <summary>The statement of the method Parse if the method for groups reads the message; null if both have the loop.</summary>
    public abstract string? ParseAsGroup { get; }

    /// <summary>The statements that find the fields before a read.</summary>
    public abstract IReadOnlyList<string> FindFields { get; }

    /// <summary>Gets the argument for the element with an index.</summary>
    public abstract string Element(string array, string index);

    /// <summary>Gets the value of the local to which elements of a list are added. Elements of called methods are added one by one: their
    /// lists are short in most messages, and asking for room for several took 5 % more time in Telemetry (duet).</summary>
    public abstract string BeginList(string range);

    /// <summary>Gets the range of the list with the elements that were added.</summary>
    public abstract string EndList(string list);

    /// <summary>Gets the argument for a new element of a list.</summary>
    public abstract string Appended(string array, string list);

    /// <summary>Writes statements that read a sub-message.</summary>
    public virtual void Parse(CodeWriter code, string array, string element) =>
        code.Line($"{Code}.Parse(reader.ReadMessage(depth, ref scratch), {array}, {element}, depth + 1);");

    /// <summary>Gets a parameter or an argument for the depth, with a comma, if the code that calculates the size counts it.</summary>
    public virtual string Depth(string depth) => "";

    /// <summary>The statements of a method that visits the message and all messages in it.</summary>
    public virtual IReadOnlyList<string> GuardStack => [];

    /// <summary>The statements before the calculation of the size.</summary>
    public virtual IReadOnlyList<string> BeforeSize => [];

    /// <summary>The statements after the calculation of the size.</summary>
    public virtual IReadOnlyList<string> AfterSize => [];

    /// <summary>The field for the size in the struct of fields.</summary>
    public abstract IReadOnlyList<string> SizeField { get; }

    /// <summary>Writes the method that calculates the size and stores it.</summary>
    public virtual void StoreSize(CodeWriter code)
    {
    }

    /// <summary>Gets the expression for the size of a sub-message, without its tag and length. A group needs no stored size.</summary>
    public virtual string Size(string array, string fields, bool isGroup) => $"{Code}.CalculateSize({array}, {fields})";

    /// <summary>Writes the check that a sub-message is not nested too deep for a reader, if its own code does not check it.</summary>
    public virtual void CheckDepth(CodeWriter code, string isThere) =>
        code.Line($"if ({isThere}) runtime::WireSize.ThrowIfTooDeep(depth + 1);");

    /// <summary>Writes the member that calculates the size of an outermost message without sub-messages.</summary>
    public virtual void FlatSize(CodeWriter code)
    {
        code.Open($"static long codec::ISlabMessage<{message.TypeName}>.CalculateFlatSize(runtime::Storage storage)");
        code.Line($"var own = ({Storage})storage;");
        code.Line("ref var fields = ref own.Outermost;");
        code.Line($"return fields.Unknown.Count == 0 ? {Storage}.CalculateSize(own, ref fields) : -1;");
        code.Close();
        code.Line();
    }

    /// <summary>Writes the method that writes the message.</summary>
    public abstract void Write(CodeWriter code, Action writeFields);

    /// <summary>Gets the call of this method.</summary>
    public abstract string WriteCall(string type, string writer, string array, string fields);

    /// <summary>Writes the call of this method in the code of another message. A local refers to the fields.</summary>
    public abstract void WriteBody(CodeWriter code, string array, string local);

    /// <summary>Writes statements that write a sub-message with its tag and its length. The code of the owner may be called without a
    /// calculation of sizes, unless it needs them.</summary>
    public abstract void WriteField(CodeWriter code, ProtoMessage owner, uint tag, string array, string local);

    /// <summary>The access of the unknown fields.</summary>
    public virtual string UnknownAccess => "internal";

    /// <summary>Writes the member that tells the maximum size.</summary>
    public void ScalarRoom(CodeWriter code)
    {
        if (!hasMaximum) return;
        code.Member($"static int codec::ISlabMessage<{message.TypeName}>.ScalarRoom => {ScalarKind.MostBytesOf(message)};");
    }

    /// <summary>Writes the member that writes the outermost message with a writer that has room for all of it.</summary>
    public void ScalarMember(CodeWriter code, string content)
    {
        if (!hasMaximum) return;
        var self = message.TypeName;
        code.Open($"static runtime::ScalarWriter codec::ISlabMessage<{self}>.WriteScalars(runtime::ScalarWriter writer, {self} message)");
        code.Line($"ref var fields = ref {content};");
        code.Line($"return fields.Unknown.Count != 0 ? default : {Storage}.WriteScalars(writer, ref fields);");
        code.Close();
        code.Line();
    }

    /// <summary>Writes further methods that write the message or read it.</summary>
    public virtual void FurtherMethods(CodeWriter code, IReadOnlyList<FieldCode> fields)
    {
        if (!hasMaximum) return;
        code.Line();
        code.Line(Inlining);
        code.Open($"public static runtime::ScalarWriter WriteScalars(runtime::ScalarWriter writer, scoped ref {Fields} fields)");
        foreach (var one in fields) one.Write(code);
        code.Line("return writer;");
        code.Close();
    }
}
