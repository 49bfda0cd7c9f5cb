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
    /// <param name="result">What is returned of it, which is called "value" there.</param>
    /// <param name="before">A statement that comes before the read.</param>
    public static void Getter(CodeWriter code, string type, string name, string value, string result = "value", string? before = null)
    {
        code.Open($"public {type} {name}");
        code.Open("get");
        if (before is not null) code.Line(before);
        if (IsOneSlot(value))
        {
            code.Line($"var value = storage[index].{value[slot.Length..]};");
            var again = $"storage.Mutable(index, stamp).{value[slot.Length..]}";
            if (result == "value")
            {
                code.Line($"return storage.IsCurrent(stamp) ? value : {again};");
            }
            else
            {
                code.Line($"if (!storage.IsCurrent(stamp)) value = {again};");
                code.Line($"return {result};");
            }
        }
        else
        {
            code.Line("ref var fields = ref storage[index];");
            code.Line($"var value = {value};");
            code.Open("if (!storage.IsCurrent(stamp))");
            code.Line("fields = ref storage.Mutable(index, stamp);");
            code.Line($"value = {value};");
            code.Close();
            code.Line();
            code.Line($"return {result};");
        }

        code.Close();
        code.Close();
        code.Line();
    }

    /// <summary>A method that changes something.</summary>
    public static void Method(CodeWriter code, string signature, IReadOnlyList<string> statements)
    {
        code.Open("public " + signature);
        code.Line("ref var fields = ref storage.Mutable(index, stamp);");
        code.Lines(statements);
        code.Close();
        code.Line();
    }

    static bool IsOneSlot(string value) => value.StartsWith(slot, StringComparison.Ordinal) && value.AsSpan(slot.Length).IndexOfAny(" .(?") < 0;
}
