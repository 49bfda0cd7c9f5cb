using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>500 buses: their delays, their positions, and notices for passengers.</summary>
public readonly partial struct TransitFeedSet : IDataSet<TransitFeed, SlabProtobuf.Sets.TransitFeed, PlainTransitFeed>
{
    const int buses = 500;
    const int alerts = 40;
    const ulong now = 1_793_491_200;

    public static TransitFeed Generate(Random random)
    {
        var feed = new TransitFeed { Header = new() { Version = "2.0", Timestamp = now } };
        for (var bus = 0; bus < buses; bus++)
        {
            var (trip, vehicle) = (Trip(random), new VehicleDescriptor { Id = Text(bus), Label = $"Bus {bus}" });
            feed.Entities.Add(new FeedEntity { Id = $"trip-{bus}", TripUpdate = Update(random, trip, vehicle) });
            feed.Entities.Add(new FeedEntity { Id = $"bus-{bus}", Vehicle = Position(random, trip, vehicle) });
        }

        feed.Entities.Add(Many(alerts, i => new FeedEntity { Id = $"alert-{i}", Alert = Alert(random) }));
        return feed;
    }

    static TripDescriptor Trip(Random random)
    {
        var trip = new TripDescriptor { TripId = Text(random.Next(1_000_000)), RouteId = Text(random.Next(1, 100)) };
        if (random.Chance(0.5)) (trip.StartDate, trip.StartTime) = ("20261101", $"{random.Next(10, 24)}:{random.Next(10, 60)}:00");
        if (random.Chance(0.3)) trip.Direction = (uint)random.Next(2);
        if (random.Chance(0.1)) trip.Relation = (TripRelation)random.Next(3);
        return trip;
    }

    static TripUpdate Update(Random random, TripDescriptor trip, VehicleDescriptor vehicle)
    {
        var update = new TripUpdate { Trip = trip, Vehicle = vehicle, Timestamp = now - (ulong)random.Next(60) };
        var delay = random.Next(-60, 600);
        for (var stop = random.Next(1, 30); stop < 30; stop++)
        {
            delay += random.Next(-20, 21);
            var next = new StopUpdate { Sequence = (uint)stop, StopId = Text(random.Next(10_000)) };
            if (random.Chance(0.9)) next.Arrival = new() { Delay = delay, Time = (long)now + (stop * 90) + delay };
            if (random.Chance(0.4)) next.Departure = new() { Delay = delay, Uncertainty = 30 };
            if (random.Chance(0.05)) next.Relation = StopRelation.Skipped;
            update.Stops.Add(next);
        }

        return update;
    }

    static VehiclePosition Position(Random random, TripDescriptor trip, VehicleDescriptor vehicle)
    {
        var position = new VehiclePosition
        {
            Trip = trip,
            Vehicle = vehicle,
            Position = new() { Latitude = random.Single(47, 48), Longitude = random.Single(8, 9) },
            Timestamp = now - (ulong)random.Next(60),
        };
        if (random.Chance(0.8)) (position.Position.Bearing, position.Position.Speed) = (random.Next(360), random.Single(0, 20));
        if (random.Chance(0.5)) (position.Sequence, position.StopId) = ((uint)random.Next(30), Text(random.Next(10_000)));
        if (random.Chance(0.5)) position.Status = (VehicleStop)random.Next(3);
        if (random.Chance(0.3)) position.OccupancyPercent = (uint)random.Next(101);
        return position;
    }

    static TransitAlert Alert(Random random) => new()
    {
        Periods = { new TimeRange { Start = now, End = now + (ulong)random.Next(3_600, 100_000) } },
        Informed = { Many(random.Next(1, 5), _ => new EntitySelector { AgencyId = "town", RouteId = Text(random.Next(1, 100)) }) },
        Effect = (AlertEffect)random.Next(1, 5),
        Header = Translated(random, 3, 6),
        Description = Translated(random, 10, 40),
    };

    static TranslatedText Translated(Random random, int least, int most) => new()
    {
        Translations =
        {
            new Translation { Text = random.Words(least, most), Language = "en" },
            new Translation { Text = random.Words(least, most), Language = "de" },
        },
    };

    static string Text(int number) => number.ToString();
}
