namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.TransitFeedSet"/>. Each kind of message has an array.</summary>
public sealed unsafe class FeedFloor() : SetFloor(1 << 19)
{
    readonly Entity[] entities = new Entity[2_048];
    readonly Trip[] trips = new Trip[2_048];
    readonly Vehicle[] vehicles = new Vehicle[2_048];
    readonly Update[] updates = new Update[1_024];
    readonly Stop[] stops = new Stop[1 << 14];
    readonly Position[] positions = new Position[1_024];
    readonly Alert[] alerts = new Alert[256];
    readonly Period[] periods = new Period[256];
    readonly Selector[] selectors = new Selector[1_024];
    readonly Translation[] translations = new Translation[1_024];
    int entityCount, tripCount, vehicleCount, updateCount, stopCount, positionCount;
    int alertCount, periodCount, selectorCount, translationCount;

    // what is written next
    int trip, vehicle, update, stop, position, alert, period, selector, translation;

    bool hasHeader, hasDifferential, differential;
    Slice version;
    ulong headerTimestamp;

    public override long Touch()
    {
        var sum = Sum(version) + (differential ? 1 : 0) + (long)headerTimestamp;
        foreach (ref readonly var one in entities.AsSpan(0, entityCount))
            sum += Sum(one.Id) + (one.IsDeleted ? 1 : 0);
        foreach (ref readonly var one in trips.AsSpan(0, tripCount))
            sum += Sum(one.TripId) + Sum(one.RouteId) + one.Direction + Sum(one.StartTime) + Sum(one.StartDate) + one.Relation;
        foreach (ref readonly var one in vehicles.AsSpan(0, vehicleCount))
            sum += Sum(one.Id) + Sum(one.Label) + Sum(one.Plate);
        foreach (ref readonly var one in updates.AsSpan(0, updateCount))
            sum += (long)one.Timestamp + one.Delay;
        foreach (ref readonly var one in stops.AsSpan(0, stopCount))
        {
            sum += one.Sequence + Sum(one.StopId) + one.Arrival.Delay + one.Arrival.Time + one.Arrival.Uncertainty + one.Departure.Delay
                + one.Departure.Time + one.Departure.Uncertainty + one.Relation;
        }

        foreach (ref readonly var one in positions.AsSpan(0, positionCount))
        {
            sum += (long)one.Latitude + (long)one.Longitude + (long)one.Bearing + (long)one.Odometer + (long)one.Speed + one.Sequence
                + Sum(one.StopId) + one.Status + (long)one.Timestamp + one.Occupancy;
        }

        foreach (ref readonly var one in alerts.AsSpan(0, alertCount))
            sum += one.Effect;
        foreach (ref readonly var one in periods.AsSpan(0, periodCount))
            sum += (long)one.Start + (long)one.End;
        foreach (ref readonly var one in selectors.AsSpan(0, selectorCount))
            sum += Sum(one.AgencyId) + Sum(one.RouteId) + Sum(one.StopId);
        foreach (ref readonly var one in translations.AsSpan(0, translationCount))
            sum += Sum(one.Text) + Sum(one.Language);
        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        entityCount = tripCount = vehicleCount = updateCount = stopCount = positionCount = 0;
        alertCount = periodCount = selectorCount = translationCount = 0;
        (hasHeader, hasDifferential, differential, version, headerTimestamp) = (false, false, false, default, 0);
        if (p < end && *p == 10) p = ReadHeader(p, end);
        while (p < end && *p == 18)
            p = ReadEntity(p, end, ref entities[entityCount++]);
        End(p, end);
    }

    byte* ReadHeader(byte* p, byte* end)
    {
        end = Message(ref p, end);
        hasHeader = true;
        if (p < end && *p == 10) version = Text(ref p, end);
        if (p < end && *p == 16) (differential, hasDifferential) = (Bool(ref p), true);
        if (p < end && *p == 24) headerTimestamp = WideNumber(ref p);
        return End(p, end);
    }

    byte* ReadEntity(byte* p, byte* end, ref Entity one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 10) one.Id = Text(ref p, end);
        if (p < end && *p == 16) (one.IsDeleted, one.HasIsDeleted) = (Bool(ref p), true);
        if (p < end && *p == 26) p = ReadUpdate(p, end, out one.HasUpdate);
        if (p < end && *p == 34) p = ReadPosition(p, end, out one.HasPosition);
        if (p < end && *p == 42) p = ReadAlert(p, end, out one.HasAlert);
        return End(p, end);
    }

    byte* ReadUpdate(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref updates[updateCount++];
        one = default;
        if (p < end && *p == 10) p = ReadTrip(p, end, out one.HasTrip);
        if (p < end && *p == 18) p = ReadVehicle(p, end, out one.HasVehicle);
        for (; p < end && *p == 26; one.Stops++)
            p = ReadStop(p, end);
        if (p < end && *p == 32) (one.Timestamp, one.HasTimestamp) = (WideNumber(ref p), true);
        if (p < end && *p == 40) (one.Delay, one.HasDelay) = ((int)WideNumber(ref p), true);
        return End(p, end);
    }

    byte* ReadTrip(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref trips[tripCount++];
        one = default;
        if (p < end && *p == 10) (one.TripId, one.HasTripId) = (Text(ref p, end), true);
        if (p < end && *p == 18) (one.RouteId, one.HasRouteId) = (Text(ref p, end), true);
        if (p < end && *p == 24) (one.Direction, one.HasDirection) = ((uint)Number(ref p), true);
        if (p < end && *p == 34) (one.StartTime, one.HasStartTime) = (Text(ref p, end), true);
        if (p < end && *p == 42) (one.StartDate, one.HasStartDate) = (Text(ref p, end), true);
        if (p < end && *p == 48) (one.Relation, one.HasRelation) = ((int)Number(ref p), true);
        return End(p, end);
    }

    byte* ReadVehicle(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref vehicles[vehicleCount++];
        one = default;
        if (p < end && *p == 10) (one.Id, one.HasId) = (Text(ref p, end), true);
        if (p < end && *p == 18) (one.Label, one.HasLabel) = (Text(ref p, end), true);
        if (p < end && *p == 26) (one.Plate, one.HasPlate) = (Text(ref p, end), true);
        return End(p, end);
    }

    byte* ReadStop(byte* p, byte* end)
    {
        end = Message(ref p, end);
        ref var one = ref stops[stopCount++];
        one = default;
        if (p < end && *p == 8) (one.Sequence, one.HasSequence) = ((uint)Number(ref p), true);
        if (p < end && *p == 18) (one.StopId, one.HasStopId) = (Text(ref p, end), true);
        if (p < end && *p == 26) p = ReadMoment(p, end, ref one.Arrival, out one.HasArrival);
        if (p < end && *p == 34) p = ReadMoment(p, end, ref one.Departure, out one.HasDeparture);
        if (p < end && *p == 40) (one.Relation, one.HasRelation) = ((int)Number(ref p), true);
        return End(p, end);
    }

    static byte* ReadMoment(byte* p, byte* end, ref Moment one, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        if (p < end && *p == 8) (one.Delay, one.HasDelay) = ((int)WideNumber(ref p), true);
        if (p < end && *p == 16) (one.Time, one.HasTime) = ((long)WideNumber(ref p), true);
        if (p < end && *p == 24) (one.Uncertainty, one.HasUncertainty) = ((int)Number(ref p), true);
        return End(p, end);
    }

    byte* ReadPosition(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref positions[positionCount++];
        one = default;
        if (p < end && *p == 10) p = ReadTrip(p, end, out one.HasTrip);
        if (p < end && *p == 18) p = ReadVehicle(p, end, out one.HasVehicle);
        if (p < end && *p == 26) p = ReadPlace(p, end, ref one);
        if (p < end && *p == 32) (one.Sequence, one.HasSequence) = ((uint)Number(ref p), true);
        if (p < end && *p == 42) (one.StopId, one.HasStopId) = (Text(ref p, end), true);
        if (p < end && *p == 48) (one.Status, one.HasStatus) = ((int)Number(ref p), true);
        if (p < end && *p == 56) (one.Timestamp, one.HasTimestamp) = (WideNumber(ref p), true);
        if (p < end && *p == 64) (one.Occupancy, one.HasOccupancy) = ((uint)Number(ref p), true);
        return End(p, end);
    }

    static byte* ReadPlace(byte* p, byte* end, ref Position one)
    {
        end = Message(ref p, end);
        one.HasPlace = true;
        if (p < end && *p == 13) one.Latitude = Fixed<float>(ref p);
        if (p < end && *p == 21) one.Longitude = Fixed<float>(ref p);
        if (p < end && *p == 29) (one.Bearing, one.HasBearing) = (Fixed<float>(ref p), true);
        if (p < end && *p == 33) (one.Odometer, one.HasOdometer) = (Fixed<double>(ref p), true);
        if (p < end && *p == 45) (one.Speed, one.HasSpeed) = (Fixed<float>(ref p), true);
        return End(p, end);
    }

    byte* ReadAlert(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref alerts[alertCount++];
        one = default;
        for (; p < end && *p == 10; one.Periods++)
            p = ReadPeriod(p, end, ref periods[periodCount++]);
        for (; p < end && *p == 18; one.Selectors++)
            p = ReadSelector(p, end, ref selectors[selectorCount++]);
        if (p < end && *p == 24) one.Effect = (int)Number(ref p);
        if (p < end && *p == 34) p = ReadTranslations(p, end, ref one.Headers, out one.HasHeader);
        if (p < end && *p == 42) p = ReadTranslations(p, end, ref one.Descriptions, out one.HasDescription);
        return End(p, end);
    }

    static byte* ReadPeriod(byte* p, byte* end, ref Period one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 8) (one.Start, one.HasStart) = (WideNumber(ref p), true);
        if (p < end && *p == 16) (one.End, one.HasEnd) = (WideNumber(ref p), true);
        return End(p, end);
    }

    byte* ReadSelector(byte* p, byte* end, ref Selector one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 10) (one.AgencyId, one.HasAgencyId) = (Text(ref p, end), true);
        if (p < end && *p == 18) (one.RouteId, one.HasRouteId) = (Text(ref p, end), true);
        if (p < end && *p == 26) p = ReadTrip(p, end, out one.HasTrip);
        if (p < end && *p == 34) (one.StopId, one.HasStopId) = (Text(ref p, end), true);
        return End(p, end);
    }

    byte* ReadTranslations(byte* p, byte* end, ref int count, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        for (; p < end && *p == 10; count++)
            p = ReadTranslation(p, end, ref translations[translationCount++]);
        return End(p, end);
    }

    byte* ReadTranslation(byte* p, byte* end, ref Translation one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 10) one.Text = Text(ref p, end);
        if (p < end && *p == 18) (one.Language, one.HasLanguage) = (Text(ref p, end), true);
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        trip = vehicle = update = stop = position = alert = period = selector = translation = 0;
        if (hasHeader)
        {
            var header = Open(ref to, 10);
            PutSlice(ref to, 10, version);
            if (hasDifferential) PutPresent(ref to, 16, differential ? 1u : 0);
            PutNumber(ref to, 24, headerTimestamp);
            Close(ref to, header);
        }

        foreach (ref readonly var one in entities.AsSpan(0, entityCount))
        {
            var content = Open(ref to, 18, 2);
            PutSlice(ref to, 10, one.Id);
            if (one.HasIsDeleted) PutPresent(ref to, 16, one.IsDeleted ? 1u : 0);
            if (one.HasUpdate) to = WriteUpdate(to, updates[update++]);
            if (one.HasPosition) to = WritePosition(to, positions[position++]);
            if (one.HasAlert) to = WriteAlert(to, alerts[alert++]);
            Close(ref to, content, 2);
        }

        return to;
    }

    byte* WriteUpdate(byte* to, in Update one)
    {
        var content = Open(ref to, 26, 2);
        if (one.HasTrip) to = WriteTrip(to, 10);
        if (one.HasVehicle) to = WriteVehicle(to, 18);
        for (var i = 0; i < one.Stops; i++)
            to = WriteStop(to, stops[stop++]);
        if (one.HasTimestamp) PutWidePresent(ref to, 32, one.Timestamp);
        if (one.HasDelay) PutPresent(ref to, 40, (ulong)one.Delay);
        Close(ref to, content, 2);
        return to;
    }

    byte* WriteTrip(byte* to, byte tag)
    {
        ref readonly var one = ref trips[trip++];
        var content = Open(ref to, tag);
        if (one.HasTripId) PutPresentSlice(ref to, 10, one.TripId);
        if (one.HasRouteId) PutPresentSlice(ref to, 18, one.RouteId);
        if (one.HasDirection) PutPresent(ref to, 24, one.Direction);
        if (one.HasStartTime) PutPresentSlice(ref to, 34, one.StartTime);
        if (one.HasStartDate) PutPresentSlice(ref to, 42, one.StartDate);
        if (one.HasRelation) PutPresent(ref to, 48, (ulong)one.Relation);
        Close(ref to, content);
        return to;
    }

    byte* WriteVehicle(byte* to, byte tag)
    {
        ref readonly var one = ref vehicles[vehicle++];
        var content = Open(ref to, tag);
        if (one.HasId) PutPresentSlice(ref to, 10, one.Id);
        if (one.HasLabel) PutPresentSlice(ref to, 18, one.Label);
        if (one.HasPlate) PutPresentSlice(ref to, 26, one.Plate);
        Close(ref to, content);
        return to;
    }

    byte* WriteStop(byte* to, in Stop one)
    {
        var content = Open(ref to, 26);
        if (one.HasSequence) PutPresent(ref to, 8, one.Sequence);
        if (one.HasStopId) PutPresentSlice(ref to, 18, one.StopId);
        if (one.HasArrival) to = WriteMoment(to, 26, one.Arrival);
        if (one.HasDeparture) to = WriteMoment(to, 34, one.Departure);
        if (one.HasRelation) PutPresent(ref to, 40, (ulong)one.Relation);
        Close(ref to, content);
        return to;
    }

    static byte* WriteMoment(byte* to, byte tag, in Moment one)
    {
        var content = Open(ref to, tag);
        if (one.HasDelay) PutWidePresent(ref to, 8, (ulong)one.Delay);
        if (one.HasTime) PutWidePresent(ref to, 16, (ulong)one.Time);
        if (one.HasUncertainty) PutPresent(ref to, 24, (ulong)one.Uncertainty);
        Close(ref to, content);
        return to;
    }

    byte* WritePosition(byte* to, in Position one)
    {
        var content = Open(ref to, 34);
        if (one.HasTrip) to = WriteTrip(to, 10);
        if (one.HasVehicle) to = WriteVehicle(to, 18);
        if (one.HasPlace)
        {
            var place = Open(ref to, 26);
            PutFixed(ref to, 13, one.Latitude);
            PutFixed(ref to, 21, one.Longitude);
            if (one.HasBearing) PutPresentFixed(ref to, 29, one.Bearing);
            if (one.HasOdometer) PutPresentFixed(ref to, 33, one.Odometer);
            if (one.HasSpeed) PutPresentFixed(ref to, 45, one.Speed);
            Close(ref to, place);
        }

        if (one.HasSequence) PutPresent(ref to, 32, one.Sequence);
        if (one.HasStopId) PutPresentSlice(ref to, 42, one.StopId);
        if (one.HasStatus) PutPresent(ref to, 48, (ulong)one.Status);
        if (one.HasTimestamp) PutWidePresent(ref to, 56, one.Timestamp);
        if (one.HasOccupancy) PutPresent(ref to, 64, one.Occupancy);
        Close(ref to, content);
        return to;
    }

    byte* WriteAlert(byte* to, in Alert one)
    {
        var content = Open(ref to, 42, 2);
        for (var i = 0; i < one.Periods; i++)
        {
            ref readonly var range = ref periods[period++];
            var inner = Open(ref to, 10);
            if (range.HasStart) PutWidePresent(ref to, 8, range.Start);
            if (range.HasEnd) PutWidePresent(ref to, 16, range.End);
            Close(ref to, inner);
        }

        for (var i = 0; i < one.Selectors; i++)
        {
            ref readonly var selected = ref selectors[selector++];
            var inner = Open(ref to, 18);
            if (selected.HasAgencyId) PutPresentSlice(ref to, 10, selected.AgencyId);
            if (selected.HasRouteId) PutPresentSlice(ref to, 18, selected.RouteId);
            if (selected.HasTrip) to = WriteTrip(to, 26);
            if (selected.HasStopId) PutPresentSlice(ref to, 34, selected.StopId);
            Close(ref to, inner);
        }

        PutNumber(ref to, 24, (ulong)one.Effect);
        if (one.HasHeader) to = WriteTranslations(to, 34, one.Headers);
        if (one.HasDescription) to = WriteTranslations(to, 42, one.Descriptions);
        Close(ref to, content, 2);
        return to;
    }

    byte* WriteTranslations(byte* to, byte tag, int count)
    {
        var content = Open(ref to, tag);
        for (var i = 0; i < count; i++)
        {
            ref readonly var one = ref translations[translation++];
            var inner = Open(ref to, 10);
            PutSlice(ref to, 10, one.Text);
            if (one.HasLanguage) PutPresentSlice(ref to, 18, one.Language);
            Close(ref to, inner);
        }

        Close(ref to, content);
        return to;
    }

    struct Entity
    {
        public Slice Id;
        public bool IsDeleted, HasIsDeleted, HasUpdate, HasPosition, HasAlert;
    }

    struct Update
    {
        public ulong Timestamp;
        public int Stops, Delay;
        public bool HasTrip, HasVehicle, HasTimestamp, HasDelay;
    }

    struct Trip
    {
        public Slice TripId, RouteId, StartTime, StartDate;
        public uint Direction;
        public int Relation;
        public bool HasTripId, HasRouteId, HasDirection, HasStartTime, HasStartDate, HasRelation;
    }

    struct Vehicle
    {
        public Slice Id, Label, Plate;
        public bool HasId, HasLabel, HasPlate;
    }

    struct Stop
    {
        public Slice StopId;
        public Moment Arrival, Departure;
        public uint Sequence;
        public int Relation;
        public bool HasSequence, HasStopId, HasArrival, HasDeparture, HasRelation;
    }

    struct Moment
    {
        public long Time;
        public int Delay, Uncertainty;
        public bool HasDelay, HasTime, HasUncertainty;
    }

    struct Position
    {
        public Slice StopId;
        public double Odometer;
        public ulong Timestamp;
        public float Latitude, Longitude, Bearing, Speed;
        public uint Sequence, Occupancy;
        public int Status;
        public bool HasTrip, HasVehicle, HasPlace, HasBearing, HasOdometer, HasSpeed, HasSequence, HasStopId, HasStatus, HasTimestamp;
        public bool HasOccupancy;
    }

    struct Alert
    {
        public int Periods, Selectors, Effect, Headers, Descriptions;
        public bool HasHeader, HasDescription;
    }

    struct Period
    {
        public ulong Start, End;
        public bool HasStart, HasEnd;
    }

    struct Selector
    {
        public Slice AgencyId, RouteId, StopId;
        public bool HasAgencyId, HasRouteId, HasTrip, HasStopId;
    }

    struct Translation
    {
        public Slice Text, Language;
        public bool HasLanguage;
    }
}
