using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The members of a view. What they read or change is called "fields" in the code that they are given.</summary>
/// <remarks>A read looks at the stamp after it read: another thread may have emptied the message, or a setter moved the element.</remarks>
static class ViewCode
{
    const string slot = "fields.";

    /// <summary>A property that reads.</summary>
    /// <param name="code">Takes it.</param>
    /// <param name="type">The property's type.</param>
    /// <param name="name">The property's name.</param>
    /// <param name="value">What is read.</param>
    /// <param name="result">What is returned of it, which is called "value" there, as the view's place is called "at".</param>
    /// <param name="before">A statement that comes before the read.</param>
    public static void Getter(CodeWriter code, string type, string name, string value, string result = "value", string? before = null)
    {
        code.Open($"public {type} {name}");
        code.Line("[jit::MethodImpl(jit::MethodImplOptions.AggressiveInlining)]");
        code.Open("get");
        code.Open("for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))");
        if (before is not null) code.Line(before);
        if (IsOneSlot(value))
        {
            code.Line($"var value = storage[at.Index].{value[slot.Length..]};");
        }
        else
        {
            code.Line("ref readonly var fields = ref storage[at.Index];");
            code.Line($"var value = {value};");
        }

        code.Line($"if (storage.IsCurrent(at.Stamp)) return {result};");
        code.Close();
        code.Close();
        code.Close();
        code.Line();
    }

    /// <summary>A method that changes something.</summary>
    public static void Method(CodeWriter code, MessageNames names, string signature, IReadOnlyList<string> statements)
    {
        if (statements.Count == 1 && statements[0].StartsWith(slot, StringComparison.Ordinal))
        {
            code.Member($"public {signature} => {names.Mutable}().{statements[0][slot.Length..]}");
            return;
        }

        code.Open("public " + signature);
        code.Line($"ref var fields = ref {names.Mutable}();");
        code.Lines(statements);
        code.Close();
        code.Line();
    }

    static bool IsOneSlot(string value) =>
        value.StartsWith(slot, StringComparison.Ordinal) && value.AsSpan(slot.Length).IndexOfAny(" (?") < 0;
}
