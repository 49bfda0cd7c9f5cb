namespace ProtoBench.Allocators;

/// <summary>A clock that stands until it is moved.</summary>
sealed class ManualClock : TimeProvider
{
    long now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => now;

    public void Advance(TimeSpan by) => now += by.Ticks;
}
