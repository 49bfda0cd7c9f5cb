using System.CommandLine;

namespace ProtoBench.Harness;

/// <summary>Specifies the cells whose allocated objects are counted. It doubles the time of a cell.</summary>
enum AllocationCounting
{
    /// <summary>Cells that a program marks, if the option is not given.</summary>
    Marked,

    /// <summary>None, for a quick run.</summary>
    Off,

    All,

    /// <summary>All cells, with types below the table.</summary>
    Types,
}

static class AllocationOption
{
    public static Option<AllocationCounting> Create()
    {
        var option = Arguments.Option("--allocations", "count objects, in twice the time: off, on, or types below the table", Arguments.OneOf(
            ("off", AllocationCounting.Off), ("on", AllocationCounting.All), ("types", AllocationCounting.Types)));
        option.Arity = ArgumentArity.ZeroOrOne; // the parser says what is missing
        return option;
    }
}
