namespace ProtoBench.Slab;

/// <summary>enum Mood of zoo.proto. A number that it does not name is kept.</summary>
public enum Mood
{
    Unspecified = 0,
    Calm = 1,
    Wild = 300,
    Asleep = -1,
}
