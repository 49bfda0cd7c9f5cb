using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>10,000 lines of a web server's access log.</summary>
public readonly partial struct AccessLogSet : IDataSet<AccessLog, SlabProtobuf.Sets.AccessLog, PlainAccessLog>
{
    const int lines = 10_000;

    public static AccessLog Generate(Random random)
    {
        var time = new DateTime(2026, 11, 1, 0, 0, 0, DateTimeKind.Utc);
        return new()
        {
            Lines =
            {
                Many(lines, _ =>
                {
                    time = time.AddMilliseconds(random.Next(2_000));
                    return new LogLine
                    {
                        Address = new()
                        {
                            A = (uint)random.Next(1, 224), B = (uint)random.Next(256),
                            C = (uint)random.Next(256), D = (uint)random.Next(256),
                        },
                        Identity = "-",
                        User = random.Chance(0.7) ? "-" : random.Word(),
                        Date = time.ToString("dd/MMM/yyyy:HH:mm:ss '+0000'"),
                        Request = $"{random.Pick<string>(["GET", "GET", "GET", "POST", "PUT"])} {Path(random)} HTTP/1.1",
                        Status = random.Pick<uint>([200, 200, 200, 200, 301, 304, 404, 500]),
                        Bytes = (ulong)random.Next(random.Pick<int>([1_000, 100_000, 10_000_000])),
                    };
                }),
            },
        };
    }

    static string Path(Random random) =>
        string.Concat(Many(random.Next(1, 5), _ => "/" + random.Word())) + (random.Chance(0.3) ? $"?id={random.Next(1_000_000)}" : "");
}
