using ProtoBench.Codec.Reflection;
using ProtoBench.Codec.WellKnownTypes;
using FieldType = ProtoBench.Codec.Reflection.FieldType;

namespace ProtoBench.Codec.Tests;

/// <summary>What the reader of JSON uses of descriptors.</summary>
public class DescriptorTests
{
    [Fact]
    public void A_field_is_found_by_both_names()
    {
        var type = SourceContext.Descriptor;
        Assert.Same(type.FieldsByNumber[0], type.Find("fileName"u8));
        Assert.Same(type.FieldsByNumber[0], type.Find("file_name"u8));
        Assert.Null(type.Find("filename"u8));
        Assert.Null(type.Find(""u8));
        Assert.Null(type.Find(new byte[100_000]));
        foreach (var field in WellKnownTypes.Type.Descriptor.FieldsByNumber)
        {
            Assert.Same(field, WellKnownTypes.Type.Descriptor.Find(field.JsonNameUtf8));
            Assert.Same(field, WellKnownTypes.Type.Descriptor.FieldsByNumber[field.Index]);
        }
    }

    [Fact]
    public void A_name_is_found_without_an_allocation()
    {
        var type = WellKnownTypes.Type.Descriptor;
        type.Find("syntax"u8);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++) type.Find("source_context"u8);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void Tags_have_the_wire_type_that_is_written()
    {
        var value = Value.Descriptor;
        Assert.Equal([(1u << 3) | 0, (2 << 3) | 1, (3 << 3) | 2, (4 << 3) | 0, (5 << 3) | 2, (6 << 3) | 2],
            value.FieldsByNumber.Select(field => field.Tag));
        Assert.All(value.FieldsByNumber, field => Assert.Equal(0, field.ContainingOneof!.Index));
        Assert.True(value.FieldsByNumber[0].EnumType!.IsNullValue);
        var group = FileDescriptor.Load([groupFile])[0].MessageTypes[0];
        Assert.Equal([(1u << 3) | 2, (2 << 3) | 3], group.FieldsByNumber.Select(field => field.Tag));
        Assert.Equal((2u << 3) | 4, group.FieldsByNumber[1].EndTag);
        Assert.Equal(FieldType.Group, group.FieldsByNumber[1].FieldType);
    }

    [Fact]
    public void Values_of_enums_are_found_by_UTF8()
    {
        var syntax = WellKnownTypes.TypeReflection.Descriptor.FindTypeByName<EnumDescriptor>("Syntax")!;
        Assert.True(syntax.TryFind("SYNTAX_PROTO3"u8, out var number));
        Assert.Equal(1, number);
        Assert.False(syntax.TryFind("SYNTAX_PROTO4"u8, out number));
        Assert.Equal(0, number);
    }

    [Fact]
    public void Messages_with_a_form_of_their_own_are_known()
    {
        Assert.Equal(WellKnownKind.Any, Any.Descriptor.WellKnown);
        Assert.Equal(WellKnownKind.Timestamp, Timestamp.Descriptor.WellKnown);
        Assert.Equal(WellKnownKind.Duration, Duration.Descriptor.WellKnown);
        Assert.Equal(WellKnownKind.FieldMask, FieldMask.Descriptor.WellKnown);
        Assert.Equal([WellKnownKind.Struct, WellKnownKind.None, WellKnownKind.Value, WellKnownKind.ListValue],
            Enumerable.Range(0, 4).Select(i => StructReflection.Descriptor.At(i).WellKnown));
        Assert.All(WrappersReflection.Descriptor.MessageTypes, type => Assert.Equal(WellKnownKind.Wrapper, type.WellKnown));
        Assert.Equal(WellKnownKind.Empty, Empty.Descriptor.WellKnown);
        Assert.Equal(WellKnownKind.None, SourceContext.Descriptor.WellKnown);
    }

    [Fact]
    public void Threads_get_the_same_descriptor()
    {
        var made = new FileDescriptor[16];
        Parallel.For(0, made.Length, i => made[i] = ApiReflection.Descriptor);
        Assert.All(made, one => Assert.Same(made[0], one));
    }

    // message A { repeated int32 a = 1 [packed = true]; optional group b = 2, of the type A }
    static readonly byte[] groupFile =
    [
        0x0A, 0x01, 0x66, 0x22, 0x21, 0x0A, 0x01, 0x41, 0x12, 0x0D, 0x0A, 0x01, 0x61, 0x18, 0x01, 0x20, 0x03, 0x28, 0x05, 0x42,
        0x02, 0x10, 0x01, 0x12, 0x0D, 0x0A, 0x01, 0x62, 0x18, 0x02, 0x20, 0x01, 0x28, 0x0A, 0x32, 0x02, 0x2E, 0x41,
    ];

    [Fact]
    public void The_constants_of_numbers_are_Googles()
    {
        foreach (var (google, slab) in new[]
        {
            (typeof(Gpb.Zoo), typeof(SlabProtobuf.Zoo)), (typeof(Gpb.Scalars), typeof(SlabProtobuf.Scalars)),
            (typeof(Gpb.Animal), typeof(SlabProtobuf.Animal)),
            (typeof(Google.Protobuf.WellKnownTypes.Value), typeof(WellKnownTypes.Value)),
        })
        {
            var numbers = Constants(google);
            Assert.NotEmpty(numbers);
            Assert.Equal(numbers, Constants(slab));
        }

        static Dictionary<string, object?> Constants(System.Type type) => type.GetFields().Where(field => field.IsLiteral)
            .ToDictionary(field => field.Name, field => field.GetRawConstantValue());
    }
}
