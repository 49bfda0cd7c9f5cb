using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Represents the bytes of a small message of numbers of fixed width that has all of its fields in order, such as a point. Such a
/// message is read after one check of its length and one for each tag. Any other form of it is read by the loop over its tags.</summary>
sealed class FixedShape
{
    public const string Method = "TryReadShape";

    readonly List<(ProtoField Field, ScalarKind Kind, int Position)> fields = [];

    public FixedShape(ProtoMessage message)
    {
        foreach (var field in message.Fields.OrderBy(one => one.Number))
        {
            var kind = ScalarKind.Of(field);
            fields.Add((field, kind, Length));
            Length += 1 + kind.MostBytes;
        }
    }

    /// <summary>Gets the length of the body.</summary>
    public int Length { get; }

    /// <summary>Writes the method that reads a body if it has the shape.</summary>
    public void Write(CodeWriter code, string type, IReadOnlyList<FieldCode> own)
    {
        code.Line();
        code.Line("[jit::MethodImpl(jit::MethodImplOptions.AggressiveInlining)]");
        code.Open($"public static bool {Method}(sys::ReadOnlySpan<byte> body, scoped ref {type} fields)");
        var tags = fields.Select(one => $"body[{one.Position}] != {((uint)one.Field.Number << 3) | one.Kind.WireType}");
        code.Line($"if (body.Length != {Length} || {string.Join(" || ", tags)}) return false;");
        foreach (var (field, kind, position) in fields)
            own.OfType<ScalarCode>().Single(one => one.Field == field).Assign(code, Value(kind, position + 1));
        code.Line("return true;");
        code.Close();
    }

    static string Value(ScalarKind kind, int position)
    {
        var type = kind.Stored switch
        {
            "float" => "Single",
            "double" => "Double",
            "uint" => "UInt32",
            "ulong" => "UInt64",
            "int" => "Int32",
            _ => "Int64",
        };
        return $"sys::Buffers.Binary.BinaryPrimitives.Read{type}LittleEndian(body.Slice({position}))";
    }
}
