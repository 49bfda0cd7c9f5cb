using System.Text;
using ProtoBench.Payloads;

namespace ProtoBench.Messages.Tests.Payloads;

public class HiveTests
{
    [Fact]
    public void Request_has_the_published_size() => Assert.Equal(290_699, Hive.Request().Length);

    [Fact]
    public void Response_has_the_size_of_the_design() => Assert.Equal(143_513, Hive.Response().Length);

    [Theory]
    [InlineData(MixedOrder.Shuffled)]
    [InlineData(MixedOrder.Regular)]
    public void Mixed_has_its_size_in_any_order(MixedOrder order) => Assert.Equal(Hive.MixedBytes, Hive.Mixed(order).Length);

    [Fact]
    public void Constants_are_the_sizes()
    {
        Assert.Equal(Hive.RequestBytes, Hive.Request().Length);
        Assert.Equal(Hive.ResponseBytes, Hive.Response().Length);
    }

    [Fact]
    public void Request_is_what_protoc_encodes()
    {
        var parsed = Gpb.ForwardRequest.Parser.ParseFrom(Hive.Request());
        Assert.Matches("^[0-9a-f]{32}$", parsed.TraceId);
        var text = new StringBuilder($"traceId: \"{parsed.TraceId}\"\n");
        for (var i = 0; i < 3_500; i++)
            text.Append($"itemRequests {{ itemId: \"{i}\" itemContext: \"{new string('b', 64)}\" }}\n");
        text.Append($"requestContextInfo: \"{new string('a', 32_768)}end\"\n");
        Assert.Equal(Protoc.Encode("hive.proto", "TestProxyPkg.ForwardRequest", text.ToString()), Hive.Request());
    }

    [Fact]
    public void Response_is_what_protoc_encodes()
    {
        var text = new StringBuilder();
        for (var i = 0; i < 3_500; i++)
            text.Append($"itemResponses {{ result: {(100f / (i + 1)).ToString("R")} extraResult: " + $"\"{new string('c', 32)}\" }}\n");
        text.Append("routeLatencyInUs: 3500 routeStartTimeInTicks: 638000000000000000\n");
        Assert.Equal(Protoc.Encode("hive.proto", "TestProxyPkg.ForwardResponse", text.ToString()), Hive.Response());
    }

    [Fact]
    public void Mixed_in_regular_order_is_what_protoc_encodes()
    {
        var text = new StringBuilder();
        var parsed = Gpb.ForwardRequest.Parser.ParseFrom(Hive.Mixed());
        text.Append($"traceId: \"{parsed.TraceId}\"\n");
        foreach (var item in parsed.ItemRequests)
            text.Append($"itemRequests {{ itemId: \"{item.ItemId}\" itemContext: \"{Escaped(item.ItemContext.Span)}\" }}\n");
        text.Append($"requestContextInfo: \"{Escaped(parsed.RequestContextInfo.Span)}\"\n");
        Assert.Equal(Protoc.Encode("hive.proto", "TestProxyPkg.ForwardRequest", text.ToString()), Hive.Mixed(MixedOrder.KnownOnly));
    }

    [Fact]
    public void Mixed_is_what_its_description_says()
    {
        var parsed = Gpb.ForwardRequest.Parser.ParseFrom(Hive.Mixed());
        var lengths = parsed.ItemRequests.Select(item => item.ItemContext.Length).ToList();
        Assert.Equal(Hive.Items, lengths.Count);
        Assert.Equal(0, lengths.Min());
        Assert.InRange(lengths.Max(), 900, 1_024);
        Assert.InRange(lengths.Count(length => length == 0), 1_600, 1_900); // half: the log-uniform draw starts at 1/1024

        // 7,000 known fields; unknown ones are what Google keeps beyond what it knows
        var unknown =
            parsed.ItemRequests.Count(item =>
                item.CalculateSize() > new Gpb.ForwardPerItemRequest
                {
                    ItemId = item.ItemId,
                    ItemContext = item.ItemContext
                }.CalculateSize());
        Assert.InRange(unknown, 0.045 * 7_000, 0.055 * 7_000);
        Assert.NotEqual(Hive.Mixed(), Hive.Mixed(MixedOrder.Regular));
    }

    [Fact]
    public void Every_call_gives_the_same_bytes()
    {
        Assert.Equal(Hive.Request(), Hive.Request());
        Assert.Equal(Hive.Mixed(), Hive.Mixed());
    }

    static string Escaped(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder();
        foreach (var b in bytes)
            text.Append('\\').Append(Convert.ToString(b, 8).PadLeft(3, '0'));
        return text.ToString();
    }
}
