namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.SaveDataSet"/>. Items and creatures may have others inside, which follow them in their
/// arrays. Texts and bytes of lists are in one array, in the order of the wire.</summary>
public sealed unsafe class SaveDataFloor() : SetFloor(1 << 20)
{
    readonly Player[] players = new Player[256];
    readonly Chunk[] chunks = new Chunk[64];
    readonly Item[] items = new Item[1 << 16];
    readonly Entity[] entities = new Entity[2_048];
    readonly Slice[] leaves = new Slice[1 << 14];
    int playerCount, chunkCount, itemCount, entityCount, leafCount;

    // what is written next
    int item, entity, leaf;

    public override long Touch()
    {
        var sum = Sum(leaves.AsSpan(0, leafCount));
        foreach (ref readonly var one in players.AsSpan(0, playerCount))
        {
            sum += (long)one.Mode + one.PreviousMode + one.Score + Sum(one.Dimension) + one.SelectedSlot + Sum(one.SpawnDimension)
                + one.SpawnX + one.SpawnY + one.SpawnZ + (one.SpawnForced ? 1 : 0)
                + (long)one.FoodExhaustion + (long)one.FoodSaturation + one.FoodLevel + one.ExperienceLevel + (long)one.Experience
                + (long)one.WalkSpeed + (long)one.FlySpeed + (one.MayFly ? 1 : 0) + (one.Flying ? 1 : 0)
                + (one.Invulnerable ? 1 : 0) + (one.MayBuild ? 1 : 0) + (one.InstantBuild ? 1 : 0)
                + (long)one.VehicleHigh + (long)one.VehicleLow;
        }

        foreach (ref readonly var one in chunks.AsSpan(0, chunkCount))
            sum += (long)one.X + one.Z + one.LastUpdate;
        foreach (ref readonly var one in items.AsSpan(0, itemCount))
            sum += one.Slot + Sum(one.Id) + one.Count + Sum(one.Name) + one.Damage;
        foreach (ref readonly var one in entities.AsSpan(0, entityCount))
        {
            sum += (long)one.IdHigh + (long)one.IdLow + Sum(one.Kind) + Sum(one.CustomName) + one.Fire + one.Air + (one.OnGround ? 1 : 0);
            foreach (var number in In<double>(one.Position))
                sum += (long)number;
            foreach (var number in In<double>(one.Motion))
                sum += (long)number;
            sum += Sum(In<float>(one.Rotation));
        }

        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        playerCount = chunkCount = itemCount = entityCount = leafCount = 0;
        while (p < end && *p == 10)
            p = ReadPlayer(p, end, ref players[playerCount++]);
        while (p < end && *p == 18)
            p = ReadChunk(p, end, ref chunks[chunkCount++]);
        End(p, end);
    }

    byte* ReadPlayer(byte* p, byte* end, ref Player one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 8) one.Mode = (int)Number(ref p);
        if (p < end && *p == 16) (one.PreviousMode, one.HasPreviousMode) = ((int)Number(ref p), true);
        if (p < end && *p == 24) one.Score = (long)WideNumber(ref p);
        if (p < end && *p == 34) one.Dimension = Text(ref p, end);
        if (p < end && *p == 40) one.SelectedSlot = (uint)Number(ref p);
        if (p < end && *p == 50) p = ReadItem(p, end, out one.HasSelected);
        if (p < end && *p == 58) (one.SpawnDimension, one.HasSpawnDimension) = (Text(ref p, end), true);
        if (p < end && *p == 64) (one.SpawnX, one.HasSpawnX) = ((long)WideNumber(ref p), true);
        if (p < end && *p == 72) (one.SpawnY, one.HasSpawnY) = ((long)WideNumber(ref p), true);
        if (p < end && *p == 80) (one.SpawnZ, one.HasSpawnZ) = ((long)WideNumber(ref p), true);
        if (p < end && *p == 88) (one.SpawnForced, one.HasSpawnForced) = (Bool(ref p), true);
        if (p < end && *p == 101) one.FoodExhaustion = Fixed<float>(ref p);
        if (p < end && *p == 109) one.FoodSaturation = Fixed<float>(ref p);
        if (p < end && *p == 112) one.FoodLevel = (uint)Number(ref p);
        if (p < end && *p == 120) one.ExperienceLevel = (uint)Number(ref p);

        // the numbers of fields from 16 on need two bytes, of which the primitives skip the second one
        if (p < end && *(ushort*)p == 0x0185)
        {
            p++;
            one.Experience = Fixed<float>(ref p);
        }

        for (; p < end && *(ushort*)p == 0x018A; one.Inventory++)
            p = ReadItem(p + 1, end, out _);
        for (; p < end && *(ushort*)p == 0x0192; one.Chest++)
            p = ReadItem(p + 1, end, out _);
        if (p < end && *(ushort*)p == 0x019A) p = ReadAbilities(p + 1, end, ref one);
        if (p < end && *(ushort*)p == 0x01A2) p = ReadEntity(p + 1, end, out one.HasBody);
        if (p < end && *(ushort*)p == 0x01AA) p = ReadVehicle(p + 1, end, ref one);
        for (; p < end && *(ushort*)p == 0x01B2; one.Recipes++)
        {
            p++;
            leaves[leafCount++] = Text(ref p, end);
        }

        return End(p, end);
    }

    static byte* ReadAbilities(byte* p, byte* end, ref Player one)
    {
        end = Message(ref p, end);
        one.HasAbilities = true;
        if (p < end && *p == 13) one.WalkSpeed = Fixed<float>(ref p);
        if (p < end && *p == 21) one.FlySpeed = Fixed<float>(ref p);
        if (p < end && *p == 24) one.MayFly = Bool(ref p);
        if (p < end && *p == 32) one.Flying = Bool(ref p);
        if (p < end && *p == 40) one.Invulnerable = Bool(ref p);
        if (p < end && *p == 48) one.MayBuild = Bool(ref p);
        if (p < end && *p == 56) one.InstantBuild = Bool(ref p);
        return End(p, end);
    }

    byte* ReadVehicle(byte* p, byte* end, ref Player one)
    {
        end = Message(ref p, end);
        one.HasVehicle = true;
        if (p < end && *p == 9) one.VehicleHigh = Fixed<ulong>(ref p);
        if (p < end && *p == 17) one.VehicleLow = Fixed<ulong>(ref p);
        if (p < end && *p == 26) p = ReadEntity(p, end, out one.HasVehicleEntity);
        return End(p, end);
    }

    byte* ReadItem(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref items[itemCount++];
        one = default;
        if (p < end && *p == 8) one.Slot = ZigZag(Number(ref p));
        if (p < end && *p == 18) one.Id = Text(ref p, end);
        if (p < end && *p == 24) one.Count = (uint)Number(ref p);
        if (p < end && *p == 34) p = ReadTag(p, end, ref one);
        return End(p, end);
    }

    byte* ReadTag(byte* p, byte* end, ref Item one)
    {
        end = Message(ref p, end);
        one.HasTag = true;
        if (p < end && *p == 10) (one.Name, one.HasName) = (Text(ref p, end), true);
        for (; p < end && *p == 18; one.Lore++)
            leaves[leafCount++] = Text(ref p, end);
        for (; p < end && *p == 26; one.Content++)
            p = ReadItem(p, end, out _);
        if (p < end && *p == 32) (one.Damage, one.HasDamage) = ((uint)Number(ref p), true);
        return End(p, end);
    }

    byte* ReadEntity(byte* p, byte* end, out bool isPresent)
    {
        end = Message(ref p, end);
        isPresent = true;
        ref var one = ref entities[entityCount++];
        one = default;
        if (p < end && *p == 9) one.IdHigh = Fixed<ulong>(ref p);
        if (p < end && *p == 17) one.IdLow = Fixed<ulong>(ref p);
        if (p < end && *p == 26) one.Kind = Text(ref p, end);
        if (p < end && *p == 34) one.Position = Packed(ref p, end, sizeof(double));
        if (p < end && *p == 42) one.Motion = Packed(ref p, end, sizeof(double));
        if (p < end && *p == 50) one.Rotation = Packed(ref p, end, sizeof(float));
        if (p < end && *p == 58) (one.CustomName, one.HasCustomName) = (Text(ref p, end), true);
        if (p < end && *p == 64) one.Fire = (int)WideNumber(ref p);
        if (p < end && *p == 72) one.Air = (int)WideNumber(ref p);
        if (p < end && *p == 80) one.OnGround = Bool(ref p);
        for (; p < end && *p == 90; one.Passengers++)
            p = ReadEntity(p, end, out _);
        return End(p, end);
    }

    byte* ReadChunk(byte* p, byte* end, ref Chunk one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 8) one.X = ZigZag(Number(ref p));
        if (p < end && *p == 16) one.Z = ZigZag(Number(ref p));
        if (p < end && *p == 24) one.LastUpdate = (long)WideNumber(ref p);
        for (; p < end && *p == 34; one.Sections++)
            leaves[leafCount++] = Bytes(ref p, end);
        for (; p < end && *p == 42; one.Entities++)
            p = ReadEntity(p, end, out _);
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        item = entity = leaf = 0;
        foreach (ref readonly var one in players.AsSpan(0, playerCount))
            to = WritePlayer(to, one);
        foreach (ref readonly var one in chunks.AsSpan(0, chunkCount))
        {
            var content = Open(ref to, 18, 2);
            PutNumber(ref to, 8, ZigZagged(one.X));
            PutNumber(ref to, 16, ZigZagged(one.Z));
            PutNumber(ref to, 24, (ulong)one.LastUpdate);
            for (var i = 0; i < one.Sections; i++)
                PutPresentSlice(ref to, 34, leaves[leaf++]);
            for (var i = 0; i < one.Entities; i++)
                to = WriteEntity(to, 42);
            Close(ref to, content, 2);
        }

        return to;
    }

    byte* WritePlayer(byte* to, in Player one)
    {
        var content = Open(ref to, 10, 2);
        PutNumber(ref to, 8, (ulong)one.Mode);
        if (one.HasPreviousMode) PutPresent(ref to, 16, (ulong)one.PreviousMode);
        PutNumber(ref to, 24, (ulong)one.Score);
        PutSlice(ref to, 34, one.Dimension);
        PutNumber(ref to, 40, one.SelectedSlot);
        if (one.HasSelected) to = WriteItem(to, 50);
        if (one.HasSpawnDimension) PutPresentSlice(ref to, 58, one.SpawnDimension);
        if (one.HasSpawnX) PutPresent(ref to, 64, (ulong)one.SpawnX);
        if (one.HasSpawnY) PutPresent(ref to, 72, (ulong)one.SpawnY);
        if (one.HasSpawnZ) PutPresent(ref to, 80, (ulong)one.SpawnZ);
        if (one.HasSpawnForced) PutPresent(ref to, 88, one.SpawnForced ? 1u : 0);
        PutFixed(ref to, 101, one.FoodExhaustion);
        PutFixed(ref to, 109, one.FoodSaturation);
        PutNumber(ref to, 112, one.FoodLevel);
        PutNumber(ref to, 120, one.ExperienceLevel);

        // tags of two bytes: the first one here, the second one by the primitives
        if (BitConverter.SingleToUInt32Bits(one.Experience) != 0)
        {
            *to++ = 0x85;
            PutPresentFixed(ref to, 1, one.Experience);
        }

        for (var i = 0; i < one.Inventory; i++)
        {
            *to++ = 0x8A;
            to = WriteItem(to, 1);
        }

        for (var i = 0; i < one.Chest; i++)
        {
            *to++ = 0x92;
            to = WriteItem(to, 1);
        }

        if (one.HasAbilities)
        {
            *to++ = 0x9A;
            to = WriteAbilities(to, one);
        }

        if (one.HasBody)
        {
            *to++ = 0xA2;
            to = WriteEntity(to, 1);
        }

        if (one.HasVehicle)
        {
            *to++ = 0xAA;
            var vehicle = Open(ref to, 1);
            PutFixed(ref to, 9, one.VehicleHigh);
            PutFixed(ref to, 17, one.VehicleLow);
            if (one.HasVehicleEntity) to = WriteEntity(to, 26);
            Close(ref to, vehicle);
        }

        for (var i = 0; i < one.Recipes; i++)
        {
            *to++ = 0xB2;
            PutPresentSlice(ref to, 1, leaves[leaf++]);
        }

        Close(ref to, content, 2);
        return to;
    }

    static byte* WriteAbilities(byte* to, in Player one)
    {
        var content = Open(ref to, 1);
        PutFixed(ref to, 13, one.WalkSpeed);
        PutFixed(ref to, 21, one.FlySpeed);
        PutNumber(ref to, 24, one.MayFly ? 1u : 0);
        PutNumber(ref to, 32, one.Flying ? 1u : 0);
        PutNumber(ref to, 40, one.Invulnerable ? 1u : 0);
        PutNumber(ref to, 48, one.MayBuild ? 1u : 0);
        PutNumber(ref to, 56, one.InstantBuild ? 1u : 0);
        Close(ref to, content);
        return to;
    }

    byte* WriteItem(byte* to, byte tag)
    {
        ref readonly var one = ref items[item++];

        // an item of 20 bytes or more in an item: more of them need a length of two bytes
        var size = one.Content > 5 ? 2 : 1;
        var content = Open(ref to, tag, size);
        PutNumber(ref to, 8, ZigZagged(one.Slot));
        PutSlice(ref to, 18, one.Id);
        PutNumber(ref to, 24, one.Count);
        if (one.HasTag)
        {
            var inner = Open(ref to, 34, size);
            if (one.HasName) PutPresentSlice(ref to, 10, one.Name);
            for (var i = 0; i < one.Lore; i++)
                PutPresentSlice(ref to, 18, leaves[leaf++]);
            for (var i = 0; i < one.Content; i++)
                to = WriteItem(to, 26);
            if (one.HasDamage) PutPresent(ref to, 32, one.Damage);
            Close(ref to, inner, size);
        }

        Close(ref to, content, size);
        return to;
    }

    byte* WriteEntity(byte* to, byte tag)
    {
        ref readonly var one = ref entities[entity++];
        var content = Open(ref to, tag);
        PutFixed(ref to, 9, one.IdHigh);
        PutFixed(ref to, 17, one.IdLow);
        PutSlice(ref to, 26, one.Kind);
        PutSlice(ref to, 34, one.Position);
        PutSlice(ref to, 42, one.Motion);
        PutSlice(ref to, 50, one.Rotation);
        if (one.HasCustomName) PutPresentSlice(ref to, 58, one.CustomName);
        PutNumber(ref to, 64, (ulong)one.Fire);
        PutNumber(ref to, 72, (ulong)one.Air);
        PutNumber(ref to, 80, one.OnGround ? 1u : 0);
        for (var i = 0; i < one.Passengers; i++)
            to = WriteEntity(to, 90);
        Close(ref to, content);
        return to;
    }

    struct Player
    {
        public Slice Dimension, SpawnDimension;
        public long Score, SpawnX, SpawnY, SpawnZ;
        public ulong VehicleHigh, VehicleLow;
        public int Mode, PreviousMode, Inventory, Chest, Recipes;
        public uint SelectedSlot, FoodLevel, ExperienceLevel;
        public float FoodExhaustion, FoodSaturation, Experience, WalkSpeed, FlySpeed;
        public bool SpawnForced, MayFly, Flying, Invulnerable, MayBuild, InstantBuild;
        public bool HasPreviousMode, HasSelected, HasSpawnDimension, HasSpawnX, HasSpawnY, HasSpawnZ, HasSpawnForced, HasAbilities, HasBody;
        public bool HasVehicle, HasVehicleEntity;
    }

    struct Item
    {
        public Slice Id, Name;
        public int Slot, Lore, Content;
        public uint Count, Damage;
        public bool HasTag, HasName, HasDamage;
    }

    struct Entity
    {
        public Slice Kind, Position, Motion, Rotation, CustomName;
        public ulong IdHigh, IdLow;
        public int Fire, Air, Passengers;
        public bool OnGround, HasCustomName;
    }

    struct Chunk
    {
        public long LastUpdate;
        public int X, Z, Sections, Entities;
    }
}
