using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A wrapper of a scalar (google.protobuf.Int32Value): a value that
/// may be null. On the wire it is a sub-message as any other.</summary>
sealed class WrapperCode(ProtoField field) : MessageCode(field)
{
    ProtoField Value => Field.Message!.Fields[0];

    public static bool IsWrapper(ProtoMessage message) => message.File.Descriptor.Name == "google/protobuf/wrappers.proto";

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        var type = Value.IsBytes ? BytesCode.ViewType(Value) : ScalarKind.Of(Value).Stored;
        ViewCode.Getter(code, type + "?", Names.Property, Handle, $"value == 0 ? null : new {Calls.Type}({Array}, value - 1, child).Value",
            $"var child = {Array}.Stamp;");
    }

    public override void Mutators(CodeWriter code)
    {
        var forms = Value.IsBytes
            ? BytesCode.Stores(Value).Select(store => (store.Type, store.Parameter)) : [(ScalarKind.Of(Value).Stored, "value")];
        foreach (var (type, parameter) in forms)
        {
            Head(code);
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}({type} {parameter})",
                [.. OpenIt("at"), $"new {Calls.Type}({Array}, at, {Array}.Stamp).SetValue({parameter});"]);
        }

        PresenceCode.Clear(code, Field, Forget);
    }
}
