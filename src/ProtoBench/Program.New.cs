using System.CommandLine;
using ProtoBench.New;

namespace ProtoBench;

static partial class Program
{
    static partial void AddNew(RootCommand verbs) => verbs.Add(NewVerb.Create());
}
