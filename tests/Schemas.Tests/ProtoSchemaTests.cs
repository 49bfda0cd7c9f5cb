using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas.Tests;

public class ProtoSchemaTests(TestSchema schema) : IClassFixture<TestSchema>
{
    static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact]
    public void Services_are_listed_with_their_types() => Assert.Equal(
        ["acme.Orders/Place (acme.Order) returns (acme.Item)", "acme.Orders/Watch (acme.Item) returns (stream acme.Order)"],
        schema.Schema.Methods.Select(method => method.ToString()));

    /// <summary>The names of JSON are those of protoc, which the descriptors in the code of C++ and C# do not have.</summary>
    [Fact]
    public void Descriptors_without_names_of_JSON_have_those_of_protoc()
    {
        var set = FileDescriptorSet.Parser.ParseFrom(schema.Schema.ToDescriptors());
        foreach (var field in set.File.SelectMany(file => file.MessageType).SelectMany(type => type.Field))
        {
            Assert.NotEmpty(field.JsonName);
            field.ClearJsonName();
        }

        var order = ProtoSchema.Of(set, "a test").Message("acme.Order");
        Assert.All(schema.Order.Fields, field => Assert.Equal(field.Number, order.Find(field.JsonName)?.Number));
    }

    [Fact]
    public async Task A_set_of_descriptors_is_read_or_refused()
    {
        var file = Path.Combine(schema.Folder, "set.pb");
        await File.WriteAllBytesAsync(file, schema.Schema.ToDescriptors(), Stop);
        Assert.Equal(schema.Schema.Methods.Select(method => method.ToString()),
            (await ProtoSchema.LoadSetAsync(file, Stop)).Methods.Select(method => method.ToString()));
        var text = await Assert.ThrowsAsync<SchemaException>(() => ProtoSchema.LoadSetAsync(schema.File, Stop));
        Assert.StartsWith($"{schema.File} is not a FileDescriptorSet: protoc ", text.Message, StringComparison.Ordinal);
        var set = FileDescriptorSet.Parser.ParseFrom(schema.Schema.ToDescriptors());
        set.File.RemoveAt(0);
        Assert.Equal("a test lacks google.protobuf.Any, which acme.Order uses",
            Assert.Throws<SchemaException>(() => ProtoSchema.Of(set, "a test")).Message);
    }

    /// <summary>As a server describes itself: one message lacks a type, one uses that message, one type is in two files.</summary>
    [Fact]
    public void What_a_server_describes_is_used_as_far_as_it_can_be()
    {
        FileDescriptorProto first = new()
        {
            Name = "orders.proto",
            Package = "acme",
            Syntax = "proto3",
            MessageType =
            {
                Of("Order", "Part", "Broken.Inner.Kind"), Of("Good", "Part"), Of("Chain", "Order"),
                new DescriptorProto
                {
                    Name = "Broken",
                    Field = { Field(1, "Nowhere") },
                    NestedType = { new DescriptorProto { Name = "Inner", EnumType = { Enum("Kind") } } },
                },
            },
            Extension = { Field(100, "Broken") },
        };
        FileDescriptorProto second = new()
        {
            Name = "copies/part.proto",
            Package = "acme",
            Syntax = "proto3",
            MessageType = { Of("Part"), Of("Good") },
            EnumType = { Enum("Size") },
        };
        first.Extension[0].Extendee = ".acme.Good";
        Assert.Equal(["acme.Nowhere", "acme.Other"],
            ProtoSchema.MissingTypes([first, second], ["acme.Other", "acme.Size", "acme.Broken.Inner"]).Order());
        var read = ProtoSchema.OfServer([first, second], "a server");
        Assert.Equal(["acme.Good", "acme.Part"], read.MessageNames);
        Assert.Equal("f1", Assert.Single(read.Message("acme.Good").Fields).Name);
        Assert.Equal([0x0A, 0], JsonPayload.Encode(read.Message("acme.Good"), """{"f1": {}}"""u8, "x.json"));
        foreach (var (message, reason) in new[]
        {
            ("acme.Broken", "a server lacks acme.Nowhere, which acme.Broken uses"),
            ("acme.Order", "a server lacks acme.Nowhere, which acme.Order uses"),
            ("acme.Chain", "a server lacks acme.Nowhere, which acme.Chain uses"),
            (".acme.Nowhere", "a server lacks acme.Nowhere"),
        })
        {
            Assert.Equal(reason, Assert.Throws<SchemaException>(() => read.Message(message)).Message);
        }

        static DescriptorProto Of(string name, params string[] types) => new()
        {
            Name = name,
            Field = { types.Select((type, i) => Field(i + 1, type)) },
        };

        static EnumDescriptorProto Enum(string name) => new() { Name = name, Value = { new EnumValueDescriptorProto { Name = "ZERO" } } };

        static FieldDescriptorProto Field(int number, string type) => new()
        {
            Name = $"f{number}",
            Number = number,
            Label = FieldDescriptorProto.Types.Label.Optional,
            Type = type.EndsWith("Kind", StringComparison.Ordinal) ? FieldDescriptorProto.Types.Type.Enum
                : FieldDescriptorProto.Types.Type.Message,
            TypeName = ".acme." + type,
        };
    }

    /// <summary>protobuf.js, and so gRPC's reflection of Node, has relative names, an entry of a map with the name of its field, extensions
    /// as fields, and one file for each package, so that files use each other.</summary>
    [Fact]
    public void The_files_of_protobuf_js_are_those_of_protoc()
    {
        FileDescriptorProto[] files =
        [
            Parse("""
                {"name": "acme_money.proto", "package": "acme.money", "syntax": "proto3", "messageType": [
                  {"name": "Invoice", "field": [
                    {"name": "order", "number": 1, "label": 1, "type": 11, "typeName": "orders.Order"},
                    {"name": "total", "number": 2, "label": 1, "type": 11, "typeName": "Money"}]},
                  {"name": "Money", "field": [{"name": "kind", "number": 1, "label": 1, "type": 14, "typeName": "Kind"}],
                    "enumType": [{"name": "Kind", "value": [{"name": "ZERO", "number": 0}, {"name": "ONE", "number": 1}]}]}],
                 "service": [{"name": "Billing", "method": [{"name": "Bill", "inputType": "Invoice", "outputType": ".acme.money.Money"}]}]}
                """),
            Parse("""
                {"name": "acme_orders.proto", "package": "acme.orders", "syntax": "proto3", "messageType": [
                  {"name": "Order", "field": [
                    {"name": "price", "number": 1, "label": 1, "type": 11, "typeName": "money.Money"},
                    {"name": "the_label", "number": 2, "label": 3, "type": 11, "typeName": "The_label"},
                    {"name": "main", "number": 3, "label": 1, "type": 11, "typeName": "The_label"},
                    {"name": "others", "number": 4, "label": 3, "type": 11, "typeName": "The_label"},
                    {"name": "kind", "number": 5, "label": 1, "type": 14, "typeName": "money.Money.Kind"},
                    {"name": ".acme.orders.note", "number": 100, "label": 1, "type": 9},
                    {"name": ".acme.orders.Order.inner", "number": 101, "label": 1, "type": 9},
                    {"name": "inner", "number": 101, "label": 1, "type": 9, "extendee": ".acme.orders.Order"}],
                   "nestedType": [{"name": "The_label", "options": {"mapEntry": true}, "field": [
                    {"name": "key", "number": 1, "label": 1, "type": 9},
                    {"name": "value", "number": 2, "label": 1, "type": 11, "typeName": "The_label"}]}],
                   "extensionRange": [{"start": 100, "end": 200}]},
                  {"name": "The_label", "field": [{"name": "text", "number": 1, "label": 1, "type": 9}]}],
                 "extension": [{"name": "note", "number": 100, "label": 1, "type": 9, "extendee": ".acme.orders.Order"}]}
                """),
        ];
        Assert.Empty(ProtoSchema.MissingTypes(files, []));
        Assert.Equal(["orders.Order"], ProtoSchema.MissingTypes([files[0]], []));
        var read = ProtoSchema.OfServer(files, "a server");
        Assert.Equal(["acme.money.Billing/Bill (acme.money.Invoice) returns (acme.money.Money)"],
            read.Methods.Select(method => method.ToString()));
        Assert.Equal(["acme.money.Invoice", "acme.money.Money", "acme.orders.Order", "acme.orders.The_label"], read.MessageNames);

        byte[] order =
        [
            0x0A, 2, 8, 1, 0x12, 8, 0x0A, 1, (byte)'k', 0x12, 3, 0x0A, 1, (byte)'v', 0x1A, 3, 0x0A, 1, (byte)'m',
            0x22, 3, 0x0A, 1, (byte)'o', 0x28, 1, 0xA2, 6, 1, (byte)'n', 0xAA, 6, 1, (byte)'i',
        ];
        Assert.Equal([0x0A, (byte)order.Length, .. order], JsonPayload.Encode(read.Message("acme.money.Invoice"), """
            {"order": {"price": {"kind": "ONE"}, "the_label": {"k": {"text": "v"}}, "main": {"text": "m"}, "others": [{"text": "o"}],
              "kind": "ONE", "[acme.orders.note]": "n", "[acme.orders.Order.inner]": "i"}}
            """u8, "x.json"));

        static FileDescriptorProto Parse(string json) =>
            Google.Protobuf.JsonParser.Default.Parse<FileDescriptorProto>(json);
    }

    /// <summary>The time is proportional to the number of messages, which a server chooses.</summary>
    [Fact]
    public void A_long_chain_of_messages_that_lacks_its_end_is_refused()
    {
        const int count = 100_000;
        FileDescriptorProto file = new() { Name = "chain.proto", Syntax = "proto3" };
        for (var i = 0; i < count; i++)
        {
            file.MessageType.Add(new DescriptorProto
            {
                Name = $"M{i}",
                Field =
                {
                    new FieldDescriptorProto
                    {
                        Name = "next", Number = 1, Type = FieldDescriptorProto.Types.Type.Message, TypeName = $".M{i + 1}",
                        Label = FieldDescriptorProto.Types.Label.Optional,
                    },
                },
            });
        }

        var read = ProtoSchema.OfServer([file], "a server");
        Assert.Empty(read.MessageNames);
        Assert.Equal($"a server lacks M{count}, which M0 uses", Assert.Throws<SchemaException>(() => read.Message("M0")).Message);
    }

    [Theory]
    [InlineData("Order", "the schema has no message Order; it has acme.Order, ...")]
    [InlineData("acme.Itm", "the schema has no message acme.Itm, did you mean Item?")]
    [InlineData("Receipts", "the schema has no message Receipts; it has acme.Item, acme.Order, ...")]
    public void A_message_that_is_not_there_names_the_closest(string name, string message) =>
        Assert.Equal(message, Assert.Throws<SchemaException>(() => schema.Schema.Message(name)).Message);

    [Fact]
    public async Task The_end_of_a_name_is_enough_if_no_other_name_has_it()
    {
        Assert.Equal(schema.Order, schema.Schema.Named("Order"));
        Assert.Equal(schema.Order, schema.Schema.Named(".acme.Order"));
        Assert.Throws<SchemaException>(() => schema.Schema.Named("rder"));
        var file = Path.Combine(schema.Folder, "two.proto");
        await File.WriteAllTextAsync(file,
            "syntax = \"proto3\"; package a; message Line {} message Order { message Line {} } message Bill { message Line {} }", Stop);
        var two = await ProtoSchema.LoadAsync([file], [], Stop);
        Assert.Equal("a.Order.Line", two.Named("Order.Line").FullName);
        Assert.Equal("the schema has several messages Line: a.Bill.Line, a.Line, a.Order.Line",
            Assert.Throws<SchemaException>(() => two.Named("Line")).Message);
    }

    [Fact]
    public async Task A_file_that_does_not_compile_is_refused_with_its_line()
    {
        var file = Path.Combine(schema.Folder, "broken.proto");
        await File.WriteAllTextAsync(file, "syntax = \"proto3\";\nmessage A {\n  int33 b = 1;\n}\n", Stop);
        var refused = await Assert.ThrowsAsync<SchemaException>(() => ProtoSchema.LoadAsync([file], [], Stop));
        Assert.Contains("broken.proto:3:3: \"int33\" is not defined.", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>protoc accepts such text in comments, and the generator of the build does too.</summary>
    [Fact]
    public async Task A_comment_that_is_not_UTF8_is_read()
    {
        var file = Path.Combine(schema.Folder, "latin.proto");
        await File.WriteAllBytesAsync(file, [.. "syntax = \"proto3\";\n// caf"u8, 0xE9, .. "\nmessage Cafe { string name = 1; }\n"u8], Stop);
        Assert.Equal("Cafe", (await ProtoSchema.LoadAsync([file], [], Stop)).Message("Cafe").FullName);
    }

    [Fact]
    public async Task A_missing_import_is_refused_by_name()
    {
        var file = Path.Combine(schema.Folder, "alone.proto");
        await File.WriteAllTextAsync(file, "syntax = \"proto3\";\nimport \"other/place.proto\";\n", Stop);
        var refused = await Assert.ThrowsAsync<SchemaException>(() => ProtoSchema.LoadAsync([file], [], Stop));
        Assert.Contains("alone.proto imports \"other/place.proto\", which is neither in the file's own folder nor in a parent folder",
            refused.Message, StringComparison.Ordinal);
        Assert.Contains("--proto-path", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Imports_are_found_from_the_parent_folder_that_they_are_named_from()
    {
        var folder = Directory.CreateDirectory(Path.Combine(schema.Folder, "root", "shop", "v1")).FullName;
        Directory.CreateDirectory(Path.Combine(schema.Folder, "root", "money", "v1"));
        await File.WriteAllTextAsync(Path.Combine(schema.Folder, "root", "money", "v1", "price.proto"),
            "syntax = \"proto3\";\npackage money.v1;\nimport \"money/v1/unit.proto\";\nmessage Price { Unit unit = 1; }\n", Stop);
        await File.WriteAllTextAsync(Path.Combine(schema.Folder, "root", "money", "v1", "unit.proto"),
            "syntax = \"proto3\";\npackage money.v1;\nmessage Unit { string code = 1; }\n", Stop);
        var file = Path.Combine(folder, "order.proto");
        await File.WriteAllTextAsync(file, """
            syntax = "proto3";
            package shop.v1;
            // import "not/this.proto";
            /* import "nor/this.proto"; */
            import public 'money/v1/price.proto'; import "google/protobuf/timestamp.proto";
            message Order { money.v1.Price price = 1; google.protobuf.Timestamp at = 2; }

            """, Stop);
        var read = await ProtoSchema.LoadAsync([file], [], Stop);
        Assert.Equal(["shop/v1/order.proto"], read.Roots);
        Assert.Equal(["money.v1.Price", "money.v1.Unit", "shop.v1.Order"],
            read.MessageNames.Where(name => !name.StartsWith("google.", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_missing_file_and_a_missing_folder_are_refused()
    {
        Assert.Equal("none.proto: there is no such file",
            (await Assert.ThrowsAsync<SchemaException>(() => ProtoSchema.LoadAsync(["none.proto"], [], Stop))).Message);
        Assert.Equal("nowhere: there is no such folder",
            (await Assert.ThrowsAsync<SchemaException>(() => ProtoSchema.LoadAsync([schema.File], ["nowhere"], Stop))).Message);
    }

    [Fact]
    public async Task Imports_are_found_in_the_folders_given_and_a_file_outside_of_them_brings_its_own()
    {
        var (shared, own) =
            (Directory.CreateDirectory(Path.Combine(schema.Folder, "shared", "deep")),
                Directory.CreateDirectory(Path.Combine(schema.Folder, "own")));
        await File.WriteAllTextAsync(Path.Combine(shared.FullName, "part.proto"), "syntax = \"proto3\";\nmessage Part { string id = 1; }\n",
            Stop);
        var file = Path.Combine(own.FullName, "whole.proto");
        await File.WriteAllTextAsync(file, "syntax = \"proto3\";\nimport \"deep/part.proto\";\nmessage Whole { Part part = 1; }\n", Stop);
        var read = await ProtoSchema.LoadAsync([file], [Path.Combine(schema.Folder, "shared")], Stop);
        Assert.Equal(["Part", "Whole"], read.MessageNames);
        Assert.Equal(["whole.proto"], read.Roots);
    }
}
