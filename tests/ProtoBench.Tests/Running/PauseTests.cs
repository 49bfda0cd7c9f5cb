namespace ProtoBench.Tests;

public class PauseTests
{
    [Theory]
    [InlineData("\nnext")]
    [InlineData("go\nnext")]
    public void It_takes_one_line_after_everything_is_built_and_none_before_or_later(string typed)
    {
        using var console = new StringWriter { NewLine = "\n" };
        using var input = new StringReader(typed);
        var pause = new Pause(console, input);
        pause.OnStartBuildStage([]);
        Assert.Equal("", console.ToString());
        pause.OnEndBuildStage();
        Assert.Equal("// Everything is built. Press Enter to measure.\n", console.ToString());
        pause.OnStartRunStage();
        pause.OnEndRunStage();
        Assert.Equal("next", input.ReadToEnd());
    }

    [Fact]
    public void Where_the_input_has_ended_the_run_goes_on()
    {
        using var console = new StringWriter();
        using var nothing = new StringReader("");
        new Pause(console, nothing).OnEndBuildStage();
        Assert.NotEqual("", console.ToString());
    }
}
