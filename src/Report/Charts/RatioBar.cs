namespace ProtoBench.Report.Charts;

/// <param name="Colour">The class of its colour.</param>
/// <param name="Title">What it says in words.</param>
/// <param name="Low">The lower end of the ratio's interval.</param>
public sealed record RatioBar(string Label, string Colour, string Title, string Text, double Ratio, double Low, double High);
