using System.Text;

namespace ProtoBench.Schemas.Tests;

/// <summary>A schema with every kind of field and the well-known types, in a folder of its own that goes with it.</summary>
public sealed class TestSchema : IAsyncLifetime
{
    public const string Text = """
        syntax = "proto3";
        package acme;
        import "google/protobuf/any.proto";
        import "google/protobuf/duration.proto";
        import "google/protobuf/field_mask.proto";
        import "google/protobuf/struct.proto";
        import "google/protobuf/timestamp.proto";
        import "google/protobuf/wrappers.proto";
        enum Color { COLOR_NONE = 0; COLOR_RED = 1; COLOR_BLUE = -2; }
        message Item { string sku = 1; int32 count = 2; Item child = 3; }
        message Order {
          string order_id = 1;
          repeated Item items = 2;
          map<string, int64> totals = 3;
          map<bool, Item> by_flag = 4;
          repeated sint32 deltas = 5;
          repeated string tags = 6;
          oneof payment { string card = 7; fixed64 account = 8; }
          optional bool gift = 9;
          bytes blob = 10;
          Color color = 11;
          double price = 12;
          float ratio = 13;
          uint64 big = 14;
          sfixed32 low = 15;
          google.protobuf.Timestamp at = 16;
          google.protobuf.Duration took = 17;
          google.protobuf.FieldMask mask = 18;
          google.protobuf.Struct extra = 19;
          google.protobuf.StringValue note = 20;
          google.protobuf.Int64Value number = 21;
          google.protobuf.Any any = 22;
          google.protobuf.Value value = 23;
          repeated Color colors = 24;
        }
        service Orders {
          rpc Place(Order) returns (Item);
          rpc Watch(Item) returns (stream Order);
        }
        """;

    public string Folder { get; } = Directory.CreateTempSubdirectory("schemas").FullName;

    public string File => Path.Combine(Folder, "orders.proto");

    public ProtoSchema Schema { get; private set; } = null!;

    public MessageType Order => Schema.Message("acme.Order");

    public async ValueTask InitializeAsync()
    {
        await System.IO.File.WriteAllTextAsync(File, Text);
        Schema = await ProtoSchema.LoadAsync([File], []);
    }

    /// <summary>What protoc makes of the same message in text format: the bytes that our conversions are held against.</summary>
    public Task<byte[]> ByProtocAsync(string text) => TextPayload.EncodeAsync(Schema, Order, Encoding.UTF8.GetBytes(text), "text");

    public ValueTask DisposeAsync()
    {
        Directory.Delete(Folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    public static string Protos => Path.Combine(Golden.Root, "protos");
}
