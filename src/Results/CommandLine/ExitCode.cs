namespace ProtoBench;

public static class ExitCode
{
    /// <summary>The run succeeded. With a guard, every row was judged and none is worse.</summary>
    public const int Done = 0;

    /// <summary>The run failed: a cell failed, the libraries do not agree, there is no host, or a guard found a forbidden change.</summary>
    public const int Failed = 1;

    /// <summary>The arguments are wrong or not available together, or a file cannot be read or written.</summary>
    public const int Usage = 2;

    /// <summary>The figures are not reliable: a check of a run failed, or a guard has too few launches to judge.</summary>
    public const int Invalid = 3;

    /// <summary>The sides have no common cells, one lacks cells of the first, or the cells of a target were not measured.</summary>
    public const int Incomplete = 4;

    /// <summary>A round has passed a limit of <c>--fail-if</c>.</summary>
    public const int LimitPassed = 5;

    /// <summary>The run was stopped by Ctrl-C. The measured part is kept and marked as partial.</summary>
    public const int Stopped = 130;
}
