namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.GameUpdatesSet"/>.</summary>
public sealed unsafe class UpdatesFloor() : SetFloor(bytes)
{
    const int bytes = 1 << 20;

    readonly Update[] updates = new Update[1_024];
    readonly Player[] players = new Player[4_096];
    readonly Terrain[] terrains = new Terrain[1_024];
    readonly Contact[] contacts = new Contact[1 << 14];

    // a number has at least one byte
    readonly int[] turrets = new int[bytes];
    int updateCount, playerCount, terrainCount, contactCount, turretCount;

    public override long Touch()
    {
        var sum = 0L;
        foreach (ref readonly var update in updates.AsSpan(0, updateCount))
            sum += (long)update.Timestamp + update.Score + (long)update.Radius;
        foreach (ref readonly var player in players.AsSpan(0, playerCount))
            sum += (long)player.Id + Sum(player.Alias) + (player.Captain ? 1 : 0) + player.Team + player.Level;
        foreach (ref readonly var terrain in terrains.AsSpan(0, terrainCount))
            sum += (long)terrain.X + terrain.Y + Sum(terrain.Heights);
        foreach (ref readonly var contact in contacts.AsSpan(0, contactCount))
        {
            sum += (long)contact.Altitude + (long)contact.Damage + contact.Entity + contact.Kind + contact.Heading + contact.Speed
                + contact.Player + (long)contact.X + (long)contact.Y + contact.Direction + contact.Velocity;
            foreach (var reload in In<byte>(contact.Reloads))
                sum += reload;
        }

        foreach (var turret in turrets.AsSpan(0, turretCount))
            sum += turret;
        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        updateCount = playerCount = terrainCount = contactCount = turretCount = 0;
        fixed (int* to = turrets)
        {
            while (p < end && *p == 10)
                p = ReadUpdate(p, end, ref updates[updateCount++], to);
            End(p, end);
        }
    }

    byte* ReadUpdate(byte* p, byte* end, ref Update update, int* to)
    {
        end = Message(ref p, end);
        update = default;
        if (p < end && *p == 8) update.Timestamp = (uint)WideNumber(ref p);
        if (p < end && *p == 16) update.Score = (uint)WideNumber(ref p);
        if (p < end && *p == 29) update.Radius = Fixed<float>(ref p);
        for (; p < end && *p == 34; update.Players++)
            p = ReadPlayer(p, end, ref players[playerCount++]);
        for (; p < end && *p == 42; update.Terrains++)
            p = ReadTerrain(p, end, ref terrains[terrainCount++]);
        for (; p < end && *p == 50; update.Contacts++)
            p = ReadContact(p, end, ref contacts[contactCount++], to);
        return End(p, end);
    }

    byte* ReadPlayer(byte* p, byte* end, ref Player player)
    {
        end = Message(ref p, end);
        player = default;
        if (p < end && *p == 8) player.Id = (uint)WideNumber(ref p);
        if (p < end && *p == 18) player.Alias = Text(ref p, end);
        if (p < end && *p == 24) player.Captain = Bool(ref p);
        if (p < end && *p == 32) (player.Team, player.HasTeam) = ((uint)Number(ref p), true);
        if (p < end && *p == 40) player.Level = (uint)Number(ref p);
        return End(p, end);
    }

    byte* ReadTerrain(byte* p, byte* end, ref Terrain terrain)
    {
        end = Message(ref p, end);
        terrain = default;
        if (p < end && *p == 8) terrain.X = ZigZag(WideNumber(ref p));
        if (p < end && *p == 16) terrain.Y = ZigZag(WideNumber(ref p));
        if (p < end && *p == 26) terrain.Heights = Bytes(ref p, end);
        return End(p, end);
    }

    byte* ReadContact(byte* p, byte* end, ref Contact contact, int* to)
    {
        end = Message(ref p, end);
        contact = default;
        if (p < end && *p == 8) contact.Altitude = ZigZag(WideNumber(ref p));
        if (p < end && *p == 21) contact.Damage = Fixed<float>(ref p);
        if (p < end && *p == 24) contact.Entity = (uint)WideNumber(ref p);
        if (p < end && *p == 32) (contact.Kind, contact.HasKind) = ((int)Number(ref p), true);
        if (p < end && *p == 42) p = ReadGuidance(p, end, ref contact);
        if (p < end && *p == 48) (contact.Player, contact.HasPlayer) = ((uint)WideNumber(ref p), true);
        if (p < end && *p == 58) contact.Reloads = Bools(ref p, end);
        if (p < end && *p == 66)
        {
            var inner = Message(ref p, end);
            var turret = to + turretCount;
            while (p < inner)
                *turret++ = ZigZag(WideVarint(ref p));
            if (p != inner) Fail("a list that ends inside of a number");
            contact.Turrets = (int)(turret - to) - turretCount;
            turretCount += contact.Turrets;
        }

        if (p < end && *p == 74) p = ReadTransform(p, end, ref contact);
        return End(p, end);
    }

    static byte* ReadGuidance(byte* p, byte* end, ref Contact contact)
    {
        end = Message(ref p, end);
        contact.HasGuidance = true;
        if (p < end && *p == 8) contact.Heading = ZigZag(WideNumber(ref p));
        if (p < end && *p == 16) contact.Speed = ZigZag(WideNumber(ref p));
        return End(p, end);
    }

    static byte* ReadTransform(byte* p, byte* end, ref Contact contact)
    {
        end = Message(ref p, end);
        contact.HasTransform = true;
        if (p < end && *p == 13) contact.X = Fixed<float>(ref p);
        if (p < end && *p == 21) contact.Y = Fixed<float>(ref p);
        if (p < end && *p == 24) contact.Direction = ZigZag(WideNumber(ref p));
        if (p < end && *p == 32) contact.Velocity = ZigZag(WideNumber(ref p));
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        int player = 0, terrain = 0, contact = 0;
        fixed (int* first = turrets)
        {
            var turret = first;
            foreach (ref readonly var update in updates.AsSpan(0, updateCount))
            {
                var content = Open(ref to, 10, 2);
                PutWideNumber(ref to, 8, update.Timestamp);
                PutWideNumber(ref to, 16, update.Score);
                PutFixed(ref to, 29, update.Radius);
                foreach (ref readonly var one in players.AsSpan(player, update.Players))
                    to = WritePlayer(to, one);
                foreach (ref readonly var one in terrains.AsSpan(terrain, update.Terrains))
                    to = WriteTerrain(to, one);
                foreach (ref readonly var one in contacts.AsSpan(contact, update.Contacts))
                {
                    to = WriteContact(to, one, turret);
                    turret += one.Turrets;
                }

                Close(ref to, content, 2);
                (player, terrain, contact) = (player + update.Players, terrain + update.Terrains, contact + update.Contacts);
            }
        }

        return to;
    }

    byte* WritePlayer(byte* to, in Player player)
    {
        var content = Open(ref to, 34);
        PutWideNumber(ref to, 8, player.Id);
        PutSlice(ref to, 18, player.Alias);
        PutNumber(ref to, 24, player.Captain ? 1u : 0);
        if (player.HasTeam) PutPresent(ref to, 32, player.Team);
        PutNumber(ref to, 40, player.Level);
        Close(ref to, content);
        return to;
    }

    byte* WriteTerrain(byte* to, in Terrain terrain)
    {
        var content = Open(ref to, 42);
        PutWideNumber(ref to, 8, ZigZagged(terrain.X));
        PutWideNumber(ref to, 16, ZigZagged(terrain.Y));
        PutSlice(ref to, 26, terrain.Heights);
        Close(ref to, content);
        return to;
    }

    byte* WriteContact(byte* to, in Contact contact, int* turret)
    {
        var content = Open(ref to, 50);
        PutWideNumber(ref to, 8, ZigZagged(contact.Altitude));
        PutFixed(ref to, 21, contact.Damage);
        PutWideNumber(ref to, 24, contact.Entity);
        if (contact.HasKind) PutPresent(ref to, 32, (ulong)contact.Kind);
        if (contact.HasGuidance)
        {
            var guidance = Open(ref to, 42);
            PutWideNumber(ref to, 8, ZigZagged(contact.Heading));
            PutWideNumber(ref to, 16, ZigZagged(contact.Speed));
            Close(ref to, guidance);
        }

        if (contact.HasPlayer) PutWidePresent(ref to, 48, contact.Player);
        PutSlice(ref to, 58, contact.Reloads);
        if (contact.Turrets != 0)
        {
            var list = Open(ref to, 66);
            for (var i = 0; i < contact.Turrets; i++)
                PutWideVarint(ref to, ZigZagged(turret[i]));
            Close(ref to, list);
        }

        if (contact.HasTransform)
        {
            var transform = Open(ref to, 74);
            PutFixed(ref to, 13, contact.X);
            PutFixed(ref to, 21, contact.Y);
            PutWideNumber(ref to, 24, ZigZagged(contact.Direction));
            PutWideNumber(ref to, 32, ZigZagged(contact.Velocity));
            Close(ref to, transform);
        }

        Close(ref to, content);
        return to;
    }

    struct Update
    {
        public uint Timestamp, Score;
        public float Radius;
        public int Players, Terrains, Contacts;
    }

    struct Player
    {
        public Slice Alias;
        public uint Id, Team, Level;
        public bool Captain, HasTeam;
    }

    struct Terrain
    {
        public Slice Heights;
        public int X, Y;
    }

    struct Contact
    {
        public Slice Reloads;
        public int Altitude, Kind, Heading, Speed, Turrets, Direction, Velocity;
        public uint Entity, Player;
        public float Damage, X, Y;
        public bool HasKind, HasGuidance, HasPlayer, HasTransform;
    }
}
