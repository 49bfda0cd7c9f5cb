using ProtoBench.Report.Model;

namespace ProtoBench.Report.Tests.Model;

public class MethodWordsTests
{
    [Theory]
    [InlineData("MarshalByGoogle", "Marshal", "Google", "")]
    [InlineData("MarshalByGoogle_BA", "Marshal", "Google", "BA")]
    [InlineData("UnmarshalManyBySystemTextJson", "UnmarshalMany", "SystemTextJson", "")]
    [InlineData("Serial_ArrayPoolShared", "Serial", "ArrayPoolShared", "")]
    [InlineData("ProtoHTTP2_Plain", "", "ProtoHTTP2", "Plain")]
    [InlineData("Decode", "", "Decode", "")]
    [InlineData("_Odd", "", "_Odd", "")]
    [InlineData("", "", "", "")]
    public void A_method_alone(string method, string verb, string way, string form) =>
        Assert.Equal(new MethodWords(verb, way, form), MethodWords.Of([method])[method]);

    [Fact]
    public void What_stands_beside_its_plain_form_is_a_form_of_it()
    {
        var words = MethodWords.Of(["WritePayload", "WritePayload_Odd", "Decode_Google"]);
        Assert.Equal(("WritePayload", "Odd"),
            (words["WritePayload_Odd"].Verb + words["WritePayload_Odd"].Way, words["WritePayload_Odd"].Form));
        Assert.Equal(new MethodWords("Decode", "Google", ""), words["Decode_Google"]);
    }

    [Fact]
    public void Words_that_all_begin_with_are_the_verb()
    {
        var words = MethodWords.Of(["EncodeByteArray", "EncodeDirect", "EncodeSlab"]);
        Assert.Equal(["ByteArray", "Direct", "Slab"], words.Values.Select(word => word.Way));
        Assert.All(words.Values, word => Assert.Equal("Encode", word.Verb));
    }

    [Theory]
    [InlineData("ProtoHTTP1", "ProtoHTTP2", "GRPC")]
    [InlineData("Encode", "EncodeSlab", "EncodeDirect")] // one would keep no word
    [InlineData("Slab", "Slap", "Sla")] // letters are no words
    public void There_is_no_verb_without_a_whole_word_in_all(params string[] methods) =>
        Assert.All(MethodWords.Of(methods).Values, word => Assert.Equal("", word.Verb));

    [Fact]
    public void Forms_of_a_library_stand_in_the_chart_of_their_verb()
    {
        var charts = Category.Of(Pages.Saved("Format").Cells);
        Assert.DoesNotContain(charts, chart => chart.Cells.Count == 1);
        var marshal = Assert.Single(charts, chart => chart.Name == "Format Marshal");
        Assert.Contains(marshal.Cells, cell => cell.Label == "Google");
        Assert.Contains(marshal.Cells, cell => cell.Label == "Google_BA");
        Assert.Equal("Google", marshal.Baseline);
    }
}
