namespace ProtoBench.Results.Tests;

public class LoadCsvTests
{
    [Fact]
    public void A_round_is_followed_by_its_seconds()
    {
        var round = Samples.Load().Variants[0].Rounds[0] with
        {
            DurationSeconds = 2.25,
            FailedByStatus = new Dictionary<string, long> { ["Internal"] = 2, ["Unknown"] = 3 },
            Response = null,
            Service = Latency(100, 300),
            Seconds = [new(0, 1, Latency(100)), new(2, 4, Latency(300)), new(3, 0, Latency())],
        };
        var result = Samples.Load();
        Assert.Equal(
            """
            variant,round,second,length_s,succeeded,failed,min_us,mean_us,max_us,p50_us,p99.9_us
            "a, b",1,,2.25,2,5,100,200,300,100,300
            "a, b",1,0,1,1,1,100,100,100,100,100
            "a, b",1,2,0.25,1,4,300,300,300,300,300
            "a, b",1,3,1,0,0,,,,,
            "a, b",2,,2.25,2,5,100,200,300,100,300

            """.ReplaceLineEndings("\n"),
            LoadCsv.Of(result with
            {
                Variants = [result.Variants[0] with { Name = "a, b", Rounds = [round, round with { Seconds = null }] }],
            }));
    }

    [Fact]
    public void Streams_have_their_messages_beside_their_calls()
    {
        var result = Samples.Load();
        var round = result.Variants[0].Rounds[0] with
        {
            DurationSeconds = 2,
            FailedByStatus = new Dictionary<string, long>(),
            Response = null,
            Service = Latency(2_000_000),
            Messages = new(4, 3, Latency(7, 8, 9), Latency(5, 6)),
            Seconds =
            [
                new(0, 0, Latency(), new(3, 2, Latency(7, 8), Latency(5))),
                new(2, 0, Latency(2_000_000), new(1, 1, Latency(9), Latency(6))),
            ],
        };
        Assert.Equal(
            "variant,round,second,length_s,succeeded,failed,min_us,mean_us,max_us,p50_us,p99.9_us,sent,received,"
            + "between_min_us,between_mean_us,between_max_us,between_p50_us,between_p99.9_us,"
            + "answer_min_us,answer_mean_us,answer_max_us,answer_p50_us,answer_p99.9_us\n"
            + """
            a,1,,2,1,0,2000000,2000000,2000000,2000000,2000000,4,3,7,8,9,8,9,5,5.5,6,5,6
            a,1,0,1,0,0,,,,,,3,2,7,7.5,8,7,8,5,5,5,5,5
            a,1,2,1,1,0,2000000,2000000,2000000,2000000,2000000,1,1,9,9,9,9,9,6,6,6,6,6

            """.ReplaceLineEndings("\n"),
            LoadCsv.Of(result with { Variants = [result.Variants[0] with { Name = "a", Rounds = [round] }] }));
    }

    static LatencyRecord Latency(params long[] microseconds)
    {
        var histogram = new LatencyHistogram();
        foreach (var one in microseconds)
            histogram.Record(one);
        return LatencyRecord.Of(histogram, [50, 99.9]);
    }
}
