namespace ProtoBench;

/// <summary>The exit codes of the program, the same for every verb.</summary>
static class ExitCode
{
    /// <summary>The run succeeded. With a guard, every row was judged and none is worse.</summary>
    public const int Done = 0;

    /// <summary>A cell failed, the libraries do not agree, or a guard found a forbidden change.</summary>
    public const int Failed = 1;

    /// <summary>The arguments are wrong, or a file cannot be read or written.</summary>
    public const int Usage = 2;

    /// <summary>A guard could not judge: there are too few launches for the table to show any change, or runs are invalid.</summary>
    public const int CannotJudge = 3;

    /// <summary>Cells are missing: the sides have no common cells, another side lacks cells of the first, or the cells of a target were not
    /// measured.</summary>
    public const int Incomplete = 4;

    /// <summary>The run was stopped with Ctrl-C.</summary>
    public const int Stopped = 130;

    /// <summary>The table of help texts.</summary>
    public const string Table = """
        Exit codes, the same for every verb:
          0    done; with --fail-on: every row was judged, and none is worse
          1    a row is worse (with any: changed), a target is not reached, a cell failed, or the
               libraries do not agree
          2    wrong usage, or a file that cannot be read or written
          3    --fail-on cannot judge: too few launches; the message says how many it takes
          4    cells are missing: nothing to compare, cells of the first side are not in another
               one, or a target's cells were not measured
          130  stopped with Ctrl-C
        """;
}
