using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace ProtoBench.Codec.Analyzers;

/// <summary>Why a view ends.</summary>
enum Life
{
    /// <summary>The view is a parameter: the caller has its message.</summary>
    Parameter,

    Message,
    Reader,
    Writer,

    /// <summary>The view is a parameter of a lambda that something else calls.</summary>
    Callback,
}

/// <summary>What ends a view: a variable, and the properties behind it (<c>call.ResponseStream</c>).</summary>
sealed class Owner(ISymbol root, string path, Life life) : IEquatable<Owner>
{
    public ISymbol Root { get; } = root;

    public string Path { get; } = path;

    public Life Life { get; } = life;

    public bool Equals(Owner? other) =>
        other is not null && Life == other.Life && Path == other.Path && SymbolEqualityComparer.Default.Equals(Root, other.Root);

    public override bool Equals(object? obj) => Equals(obj as Owner);

    public override int GetHashCode() => (SymbolEqualityComparer.Default.GetHashCode(Root) * 31) + (int)Life;

    /// <summary>Determines whether this owner ends with another one, as the stream of a call does with the call.</summary>
    public bool EndsWith(Owner other) => SymbolEqualityComparer.Default.Equals(Root, other.Root)
        && (other.Path.Length == 0 || Path == other.Path || Path.StartsWith(other.Path + ".", StringComparison.Ordinal));
}

/// <summary>What a variable holds: a view of an owner, and whether it has ended.</summary>
sealed class Held(Owner owner, string? field, IOperation? store, IOperation? end, DiagnosticDescriptor? rule) : IEquatable<Held>
{
    public Owner Owner { get; } = owner;

    /// <summary>Gets the fields from the outermost message to the view; null if an index is among them.</summary>
    public string? Field { get; } = field;

    /// <summary>Gets the operation that put the view into a collection; null if the variable is the view.</summary>
    public IOperation? Store { get; } = store;

    public IOperation? End { get; } = end;

    public DiagnosticDescriptor? Rule { get; } = rule;

    public bool Equals(Held? other) => other is not null && Owner.Equals(other.Owner) && Field == other.Field && Rule == other.Rule
        && Store?.Syntax == other.Store?.Syntax && End?.Syntax == other.End?.Syntax;

    public override bool Equals(object? obj) => Equals(obj as Held);

    public override int GetHashCode() => Owner.GetHashCode();

    public Held Within(string? name) => new(Owner, name is null || Field is null ? null : Field.Length == 0 ? name : $"{Field}.{name}",
        Store, End, Rule);

    public Held In(IOperation store) => new(Owner, null, store, End, Rule);

    public Held EndedBy(IOperation end, DiagnosticDescriptor rule) => End is null ? new(Owner, Field, Store, end, rule) : this;
}

/// <summary>What is known at a place of a method.</summary>
sealed class State
{
    public static readonly State Start = new();

    /// <summary>After a return, a throw or a jump.</summary>
    public static readonly State Nowhere = new() { IsReachable = false };

    public ImmutableDictionary<ISymbol, ImmutableHashSet<Held>> Variables { get; private set; } = Empty<ImmutableHashSet<Held>>();

    /// <summary>Gets the calls that were not awaited, by the message that they send.</summary>
    public ImmutableDictionary<ISymbol, (ISymbol Call, IOperation At)> Pending { get; private set; } = Empty<(ISymbol, IOperation)>();

    /// <summary>Gets the messages that refer to the memory of a variable.</summary>
    public ImmutableDictionary<ISymbol, Owner> Inputs { get; private set; } = Empty<Owner>();

    public bool IsReachable { get; private set; } = true;

    public State With(ISymbol variable, ImmutableHashSet<Held> held) =>
        With(held.IsEmpty ? Variables.Remove(variable) : Variables.SetItem(variable, held));

    public State With(ImmutableDictionary<ISymbol, ImmutableHashSet<Held>> variables) =>
        ReferenceEquals(variables, Variables) ? this
            : new() { Variables = variables, Pending = Pending, Inputs = Inputs, IsReachable = IsReachable };

    public State With(ImmutableDictionary<ISymbol, (ISymbol Call, IOperation At)> pending) =>
        new() { Variables = Variables, Pending = pending, Inputs = Inputs, IsReachable = IsReachable };

    public State With(ImmutableDictionary<ISymbol, Owner> inputs) =>
        new() { Variables = Variables, Pending = Pending, Inputs = inputs, IsReachable = IsReachable };

    public ImmutableHashSet<Held> Of(ISymbol variable) => Variables.TryGetValue(variable, out var held) ? held : [];

    /// <summary>Changes what all variables hold; null removes an entry.</summary>
    public State Map(Func<Held, Held?> change)
    {
        var variables = Variables;
        foreach (var one in Variables)
        {
            var held = one.Value;
            foreach (var before in one.Value)
            {
                var after = change(before);
                if (!ReferenceEquals(before, after)) held = after is null ? held.Remove(before) : held.Remove(before).Add(after);
            }

            if (!ReferenceEquals(held, one.Value)) variables = held.IsEmpty ? variables.Remove(one.Key) : variables.SetItem(one.Key, held);
        }

        return With(variables);
    }

    /// <summary>What may be so after one way or the other.</summary>
    public State Or(State other)
    {
        if (ReferenceEquals(this, other) || !other.IsReachable) return this;
        if (!IsReachable) return other;
        var variables = Variables;
        foreach (var one in other.Variables) variables = variables.SetItem(one.Key, Of(one.Key).Union(one.Value));
        return new() { Variables = variables, Pending = Pending.SetItems(other.Pending), Inputs = Inputs.SetItems(other.Inputs) };
    }

    public bool IsSameAs(State other) => IsReachable == other.IsReachable && Pending.Count == other.Pending.Count
        && Inputs.Count == other.Inputs.Count && Variables.Count == other.Variables.Count
        && Variables.All(one => other.Of(one.Key).SetEquals(one.Value));

    static ImmutableDictionary<ISymbol, T> Empty<T>() => ImmutableDictionary.Create<ISymbol, T>(SymbolEqualityComparer.Default);
}
