namespace ProtoBench.Results.Tests;

public class SimilarNamesTests
{
    [Theory]
    [InlineData("versoins", "did you mean versions?")]
    [InlineData("compair", "did you mean compare?")]
    [InlineData("--treshold", "did you mean --threshold?")]
    [InlineData("--thresh", "did you mean --threshold?")]
    [InlineData("Duet", "did you mean duet?")]
    [InlineData("bogus", null)]
    [InlineData("-", null)]
    [InlineData("", null)]
    public void A_name_with_a_few_wrong_letters_is_found(string typed, string? meant) =>
        Assert.Equal(meant, SimilarNames.Meant(typed, ["versions", "compare", "--threshold", "duet", "report"]));

    /// <summary>"kitten" and "ca" are the usual examples of Levenshtein's distance and of optimal string alignment.</summary>
    [Theory]
    [InlineData("kitten", "sitting", 3)]
    [InlineData("ab", "ba", 1)]
    [InlineData("abc", "ac", 1)]
    [InlineData("", "abc", 3)]
    [InlineData("ca", "abc", 3)] // 2 without the condition that no letter is changed twice
    public void The_distance_counts_letters(string a, string b, int distance) => Assert.Equal(distance, SimilarNames.Distance(a, b));
}
