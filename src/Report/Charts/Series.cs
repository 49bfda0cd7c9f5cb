namespace ProtoBench.Report.Charts;

/// <summary>A line of a chart.</summary>
/// <param name="Name">What it shows.</param>
/// <param name="Colour">The class of its colour.</param>
/// <param name="Mark">The id of its marks.</param>
/// <param name="Dashed">Whether it is drawn dashed.</param>
/// <param name="Points">Its points, from left to right.</param>
public sealed record Series(string Name, string Colour, string Mark, bool Dashed, IReadOnlyList<Point> Points);

/// <summary>A point of a line.</summary>
/// <param name="X">From 0, left, to 100, right.</param>
/// <param name="Y">The figure.</param>
/// <param name="Title">What it says in words; null for a point without a mark.</param>
/// <param name="Hollow">Whether the mark is hollow, as that of a figure which must not be believed.</param>
public sealed record Point(double X, double Y, string? Title, bool Hollow = false);
