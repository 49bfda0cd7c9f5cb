using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The members of a view. What they read or change is called "fields" in the code that they are given.</summary>
/// <remarks>A read looks at the stamp after it read: another thread may have emptied the message, or a setter moved the element.</remarks>
static class ViewCode
{
    const string slot = "fields.";

    /// <summary>A property that reads.</summary>
    /// <param name="code">Takes it.</param>
    /// <param name="names">The names of the view's own members.</param>
    /// <param name="type">The property's type.</param>
    /// <param name="name">The property's name.</param>
    /// <param name="value">What is read.</param>
    /// <param name="result">What is returned of it, which is called "value" there.</param>
    /// <param name="before">A statement that comes before the read.</param>
    public static void Getter(CodeWriter code, MessageNames names, string type, string name, string value, string result = "value", string? before = null)
    {
        code.Open($"public {type} {name}");
        code.Open("get");
        if (before is not null) code.Line(before);
        if (IsOneSlot(value))
        {
            code.Line($"var value = storage[index].{value[slot.Length..]};");
        }
        else
        {
            if (value.Contains(slot, StringComparison.Ordinal)) code.Line("ref readonly var fields = ref storage[index];");
            code.Line($"var value = {value};");
        }

        if (result.Contains('?', StringComparison.Ordinal))
        {
            code.Line($"if (!storage.IsCurrent(stamp)) return {names.Current}().{name};");
            code.Line($"return {result};");
        }
        else
        {
            code.Line($"return storage.IsCurrent(stamp) ? {result} : {names.Current}().{name};");
        }

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

    static bool IsOneSlot(string value) => value.StartsWith(slot, StringComparison.Ordinal) && value.AsSpan(slot.Length).IndexOfAny(" (?") < 0;
}
