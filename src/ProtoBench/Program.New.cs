using System.CommandLine;

namespace ProtoBench;

static partial class Program
{
    static partial void AddNew(RootCommand verbs) => verbs.Add(NewVerb.Create());
}
