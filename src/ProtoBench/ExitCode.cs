namespace ProtoBench;

/// <summary>What the program's exit codes mean; README lists them.</summary>
static class ExitCode
{
    public const int Done = 0;
    public const int Failed = 1;
    public const int Usage = 2;
}
