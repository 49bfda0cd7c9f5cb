using System.Text;

namespace ProtoBench.GrpcHost.Tests;

public class HpackTests
{
    // RFC 7541, appendix C: a table size, and blocks, each with its headers and the size of the table after it
    public static TheoryData<string, int, string[], string[], int[]> Examples => new()
    {
        { "C.2.1", 4096, ["400a637573746f6d2d6b65790d637573746f6d2d686561646572"], ["custom-key: custom-header"], [55] },
        { "C.2.2", 4096, ["040c2f73616d706c652f70617468"], [":path: /sample/path"], [0] },
        { "C.2.3", 4096, ["100870617373776f726406736563726574"], ["password: secret"], [0] },
        { "C.2.4", 4096, ["82"], [":method: GET"], [0] },
        {
            "C.3", 4096,
            [
                "828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
                "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
            ],
            requests, [57, 110, 164]
        },
        {
            "C.4", 4096,
            [
                "828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
                "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
            ],
            requests, [57, 110, 164]
        },
        {
            "C.5", 256,
            [
                "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578"
                    + "616d706c652e636f6d",
                "4803333037c1c0bf",
                "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f515745"
                    + "4f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
            ],
            responses, [222, 222, 215]
        },
        {
            "C.6", 256,
            [
                "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3",
                "4883640effc1c0bf",
                "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270f"
                    + "b5291f9587316065c003ed4ee5b1063d5007",
            ],
            responses, [222, 222, 215]
        },
    };

    static readonly string[] requests =
    [
        ":method: GET, :scheme: http, :path: /, :authority: www.example.com",
        ":method: GET, :scheme: http, :path: /, :authority: www.example.com, cache-control: no-cache",
        ":method: GET, :scheme: https, :path: /index.html, :authority: www.example.com, custom-key: custom-value",
    ];

    static readonly string[] responses =
    [
        ":status: 302, cache-control: private, date: Mon, 21 Oct 2013 20:13:21 GMT, location: https://www.example.com",
        ":status: 307, cache-control: private, date: Mon, 21 Oct 2013 20:13:21 GMT, location: https://www.example.com",
        ":status: 200, cache-control: private, date: Mon, 21 Oct 2013 20:13:22 GMT, location: https://www.example.com, content-encoding: gzip, "
            + "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
    ];

    [Theory]
    [MemberData(nameof(Examples))]
    public void Examples_of_the_specification_are_read(string section, int tableBytes, string[] blocks, string[] headers, int[] sizes)
    {
        var decoder = new HpackDecoder(tableBytes);
        for (var i = 0; i < blocks.Length; i++)
        {
            Assert.Equal(headers[i], string.Join(", ", Read(decoder, Convert.FromHexString(blocks[i]))));
            Assert.True(sizes[i] == decoder.TableBytes, section);
        }
    }

    [Theory]
    [InlineData("80", "there is no entry 0")]
    [InlineData("be", "there is no entry 62")]
    [InlineData("ff", "it ends in a number")]
    [InlineData("ffffffffffff7f", "a number is too large")]
    [InlineData("40", "it ends before a string")]
    [InlineData("400a6375", "it ends in a string")]
    [InlineData("823e", "the table's size changes inside of a block")]
    [InlineData("3fe21f", "a table of 4097 bytes is larger than the 4096 that were allowed")]
    [InlineData("4084ffffffff01", "a string contains its own end")]
    [InlineData("408118", "a string ends in the middle of a code")] // three zeros are no padding
    [InlineData("4082ffff", "a string ends in the middle of a code")] // padding of more than seven bits
    public void A_broken_block_is_refused(string block, string why)
    {
        var failure = Assert.Throws<Http2Exception>(() => Read(new(), Convert.FromHexString(block)));
        Assert.Equal((Http2Error.Compression, $"a header block is broken: {why}"), (failure.Error, failure.Message));
    }

    /// <summary>The coded form is that of the HPACK implementation inside of the framework.</summary>
    [Fact]
    public void Every_byte_has_its_code()
    {
        const string coded =
            "FFC7FFFD8FFFFFE2FFFFFE3FFFFFE4FFFFFE5FFFFFE6FFFFFE7FFFFFE8FFFFEAFFFFFFF3FFFFFA7FFFFFABFFFFFFDFFFFFEBFFFFFECFFFFFEDFFFFFE"
            + "EFFFFFEFFFFFFF0FFFFFF1FFFFFF2FFFFFFFBFFFFFCFFFFFFD3FFFFFD7FFFFFDBFFFFFDFFFFFFE3FFFFFE7FFFFFEBFFFFFED4FE3F9FFAFFCABF1FEBF"
            + "AFEFE7FDFD2CBB00089969B71D79FB9F7FFF20FFBFF3FF50DDBD7F061C58F265CD9F469D5AF66DDDBF871E5F9CFF7FF7FFFC3FF9FFE45FFF4719242C"
            + "B34E6E9D68A6A3D7DAC426DEFE3CFAF7FFFBFE7FFBFFDFFFFFFCFFFE6FFFF4BFFF9FFFFA3FFFD3FFFF53FFFD5FFFFB3FFFEB7FFFDAFFFFB7FFFF73FF"
            + "FEEFFFFDEFFFFEBFFFFBFFFFFD9FFFFDBFFFEBFFFFE0FFFFEEFFFFC3FFFF8BFFFF1FFFFE4FFFEE7FFFB1FFFF97FFFD9FFFFCDFFFF9FFFFFBFFFFDAFF"
            + "FEEFFFF4FFFFB7FFFEE7FFFE8FFFFD3FFFDEFFFFD5FFFEEFFFFBDFFFFE1FFFDFFFFF7FFFFF5FFFFECFFFF07FFF87FFFE0FFFF17FFFEDFFFF87FFFF77"
            + "FFFEFFFFEAFFFF8BFFFE3FFFF93FFFF87FFFCBFFFF37FFFF1FFFFF83FFFFE1FFFEBFFFE3FFFF3FFFFF2FFFFA3FFFFD9FFFFF17FFFFC7FFFFF27FFFFD"
            + "EFFFFFBFFFFFF2FFFFF8FFFFFB7FFF97FFF8FFFFFE6FFFFFC1FFFFF87FFFFE7FFFFFC5FFFFE5FFFE4FFFF2FFFFFD1FFFFF4FFFFFFEFFFFFE3FFFFFC9"
            + "FFFFF97FFFB3FFFFCFFFFB7FFFCDFFFF4FFFF9FFFFD1FFFFCFFFFEAFFFFAFFFFFDDFFFFEFFFFFF4FFFFF5FFFFFABFFFFA7FFFFD7FFFFF9BFFFFECFFF"
            + "FFB7FFFFF3FFFFFE8FFFFFD3FFFFFABFFFFF5FFFFFFF7FFFFECFFFFFDBFFFFFBBFFFFF7FFFFFF0FFFFFBBF";
        var decoded = new byte[1000];
        var length = Huffman.Decode(Convert.FromHexString(coded), decoded);
        Assert.Equal(Enumerable.Range(0, 256).Select(one => (byte)one), decoded.Take(length));
    }

    [Fact]
    public void A_list_that_was_sent_is_sent_as_indexes()
    {
        (string, string)[] headers = [(":method", "POST"), (":path", "/a.B/C"), ("te", "trailers"), ("x-long", new string('v', 300))];
        var (encoder, decoder) = (new HpackEncoder(), new HpackDecoder());
        var first = encoder.Encode(headers, out var isRepeatable);
        Assert.False(isRepeatable);
        var second = encoder.Encode(headers, out isRepeatable);
        Assert.True(isRepeatable);
        Assert.Equal(4, second.Length);
        foreach (var block in new[] { first, second, second })
            Assert.Equal(headers.Select(header => $"{header.Item1}: {header.Item2}"), Read(decoder, block));
    }

    /// <summary>A table that the peer makes smaller is emptied on both sides, and what does not fit is sent as it is.</summary>
    [Fact]
    public void A_smaller_table_is_announced_and_kept_to()
    {
        (string, string)[] headers = [("te", "trailers"), ("x-long", new string('v', 300)), ("x-short", "1")];
        var (encoder, decoder) = (new HpackEncoder(), new HpackDecoder());
        Read(decoder, encoder.Encode(headers, out _));
        encoder.Allow(90);
        foreach (var isFirst in new[] { true, false })
        {
            var block = encoder.Encode(headers, out var isRepeatable);
            Assert.Equal(!isFirst, isRepeatable);
            Assert.Equal(headers.Select(header => $"{header.Item1}: {header.Item2}"), Read(decoder, block));
            Assert.InRange(decoder.TableBytes, 1, 90);
        }

        encoder.Allow(0);
        for (var i = 0; i < 3; i++)
            Assert.Equal(headers.Length, Read(decoder, encoder.Encode(headers, out _)).Count);
        Assert.Equal(0, decoder.TableBytes);
    }

    [Fact]
    public void Random_blocks_are_read_or_refused()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        byte[][] valid = [.. Examples.SelectMany(example => example.Data.Item3).Select(Convert.FromHexString)];
        var (read, refused) = (0, 0);
        var decoder = new HpackDecoder();
        for (var i = 0; i < 100_000; i++)
        {
            var block = valid[random.Next(valid.Length)].ToArray();
            for (var changes = random.Next(3); changes > 0; changes--)
                block[random.Next(block.Length)] = (byte)random.Next(256);
            try
            {
                Read(decoder, block.AsSpan(0, random.Next(block.Length + 1)));
                read++;
            }
            catch (Http2Exception)
            {
                refused++;
                decoder = new();
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                Assert.Fail($"seed {seed}, block {i}, {Convert.ToHexString(block)}: {e}");
            }

            Assert.True(decoder.TableBytes is >= 0 and <= Hpack.DefaultTableBytes, $"seed {seed}, block {i}: {decoder.TableBytes} bytes");
        }

        Assert.True(read > 1_000 && refused > 1_000, $"seed {seed}: {read} read, {refused} refused");
    }

    static List<string> Read(HpackDecoder decoder, ReadOnlySpan<byte> block)
    {
        List<string> headers = [];
        for (var isFirst = true; decoder.TryRead(ref block, isFirst, out var name, out var value); isFirst = false)
            headers.Add($"{Encoding.Latin1.GetString(name)}: {Encoding.Latin1.GetString(value)}");
        return headers;
    }
}
