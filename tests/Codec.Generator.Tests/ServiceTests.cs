using System.Reflection;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Stubs of services. tests/Codec.Grpc.Tests calls them.</summary>
public class ServiceTests
{
    const string head = "syntax = \"proto3\";\npackage shop;\nmessage Order { string text = 1; }\n";

    [Fact]
    public void Names_of_services_and_methods_that_CSharp_uses_compile_without_a_warning()
    {
        string[] names =
        [
            "Equals", "GetHashCode", "ToString", "GetType", "Finalize", "MemberwiseClone", "ReferenceEquals", "CallInvoker", "WithHost",
                "NewInstance", "ClientBaseConfiguration", "BindService", "Descriptor", "class", "namespace", "await", "context", "request", "core",
                "grpc", "codec", "generated", "sys", "binder", "Grpc", "Task", "place", "Place", "PlaceAsync", "_", "Types", "method_Place",
        ];
        using var workshop = new Workshop { GrpcServices = "Both" };
        string[] kinds = ["(Order) returns (Order)", "(Order) returns (stream Order)", "(stream Order) returns (Order)", "(stream Order) returns (stream Order)"];
        // each method with each kind, in a service that has a nasty name too
        var services = names.Select((name, i) =>
            $"service {name} {{\n{string.Concat(names.Append(name + "Base").Append(name + "Client").Distinct().Select((method, j) => $"  rpc {method} {kinds[(i + j) % 4]};\n"))}}}\n");
        workshop.Add("nasty.proto", head + string.Concat(services));
        workshop.Add("bare.proto",
            $"syntax = \"proto3\";\nimport \"nasty.proto\";\nservice core {{ rpc grpc(shop.Order) returns (shop.Order); }}\nservice Stall {{ rpc Stall(shop.Order) returns (shop.Order); }}\n");
        workshop.GenerateAll();
        var assembly = workshop.Compile();

        // the names on the wire are those of the .proto
        Assert.Contains("\"shop.Equals\", \"Equals\"", workshop.Generated("nasty.proto"), StringComparison.Ordinal);
        Assert.Contains("\"Stall\", \"Stall\"", workshop.Generated("bare.proto"), StringComparison.Ordinal);
        Assert.NotNull(assembly.GetType("Shop.Equals+EqualsBase")!.GetMethod("EqualsBase_"));
    }

    [Fact]
    public void A_service_has_imported_and_well_known_messages_and_as_many_methods_as_it_likes()
    {
        using var workshop = new Workshop { GrpcServices = "Both" };
        workshop.Add("order.proto", head);
        workshop.Add("desk.proto",
            $"syntax = \"proto3\";\npackage desk;\nimport \"order.proto\";\nimport \"google/protobuf/empty.proto\";\nservice Desk {{\n"
                + $"{string.Concat(Enumerable.Range(0, 200).Select(i => $"  rpc Method{i} (shop.Order) returns (google.protobuf.Empty);\n"))}}}\nservice Bare {{}}\n");
        workshop.GenerateAll();
        var desk = workshop.Compile().GetType("Desk.Desk")!;
        Assert.Equal(200, desk.GetNestedType("DeskBase")!.GetMethods(BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.Instance).Length);
    }

    [Theory]
    [InlineData("None", false, false)]
    [InlineData("", false, false)]
    [InlineData("server", true, false)]
    [InlineData("Client", false, true)]
    [InlineData("Both", true, true)]
    public void The_item_says_which_stubs_are_generated(string services, bool server, bool client)
    {
        using var workshop = new Workshop { GrpcServices = services };
        workshop.Add("desk.proto", head + "service Desk { rpc Place (Order) returns (Order); }");
        workshop.GenerateAll();
        var desk = workshop.Compile().GetType("Shop.Desk");
        Assert.Equal((server, client), (desk?.GetNestedType("DeskBase") is not null, desk?.GetNestedType("DeskClient") is not null));
        Assert.Equal(server || client, desk is not null);
    }

    [Fact]
    public void Another_value_on_the_item_is_refused()
    {
        using var workshop = new Workshop { GrpcServices = "Everything" };
        workshop.Add("desk.proto", head);
        Assert.Contains("GrpcServices is 'Everything'", Assert.Throws<FormatException>(() => workshop.Generate()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Comments_and_deprecation_are_on_the_stubs()
    {
        using var workshop = new Workshop { GrpcServices = "Both" };
        workshop.Add("desk.proto", head + "// Takes <orders>.\nservice Desk {\n  // Takes one.\n  rpc Place (Order) returns (Order) { option deprecated = true; }\n}");
        workshop.GenerateAll();
        var text = workshop.Generated("desk.proto");
        Assert.Contains("/// <summary>Takes &lt;orders&gt;.</summary>", text, StringComparison.Ordinal);
        Assert.Equal(7, text.Split("/// <summary>Takes one.</summary>").Length - 1);
        Assert.Equal(7, text.Split("[sys::Obsolete]").Length - 1);
        workshop.AssertCompiles();
    }

    [Fact]
    public void A_message_of_a_file_that_is_no_item_is_refused_at_the_method()
    {
        using var workshop = new Workshop { GrpcServices = "Both" };
        workshop.Add("desk.proto", "syntax = \"proto3\";\nimport \"google/protobuf/descriptor.proto\";\nmessage Order {}\n"
            + "service Desk {\n  rpc Place (Order) returns (google.protobuf.FileDescriptorSet);\n}");
        Assert.Contains("desk.proto(5,3): error SLAB009: ", Assert.Single(workshop.Generate()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_service_and_a_message_of_another_package_in_one_namespace_are_refused()
    {
        using var workshop = new Workshop { GrpcServices = "Both" };
        workshop.Add("a.proto", head + "service Desk { rpc Place (Order) returns (Order); }");
        workshop.Add("b.proto", "syntax = \"proto3\";\npackage other;\nmessage Desk {}");
        Assert.Contains("error SLAB010: ", Assert.Single(workshop.Generate(_ => "One")), StringComparison.Ordinal);
    }

    /// <summary>gRPC's reflection looks for this property.</summary>
    [Fact]
    public void With_conversions_a_service_has_Googles_description()
    {
        using var workshop = new Workshop { GrpcServices = "Both", HasGoogleConversions = true };
        workshop.Add("some_desk.proto", head + "service First { rpc Place (Order) returns (Order); }\nservice Desk { rpc Place (Order) returns (Order); }");
        workshop.GenerateAll(_ => "Slabs");
        workshop.GenerateGoogle();
        var descriptor = (ServiceDescriptor)workshop.Compile().GetType("Slabs.Desk")!.GetProperty("Descriptor")!.GetValue(null)!;
        Assert.Equal("shop.Desk", descriptor.FullName);
    }
}
