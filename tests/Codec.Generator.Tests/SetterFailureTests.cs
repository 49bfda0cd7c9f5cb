using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>A setter whose pool has no memory for the value changes nothing, wherever the memory ends.</summary>
public class SetterFailureTests
{
    const string schema = """
        syntax = "proto2";
        package holder;
        import "google/protobuf/wrappers.proto";
        import "google/protobuf/any.proto";
        message Holder {
          optional bytes filler = 1;
          optional string text = 2;
          optional google.protobuf.StringValue wrapped = 3;
          optional google.protobuf.BytesValue wrapped_bytes = 4;
          oneof choice {
            string one = 5;
            google.protobuf.StringValue two = 6;
            Colors three = 7;
          }
          optional Colors colors = 8;
          repeated Colors list = 9;
          map<string, string> texts = 10;
          map<string, Colors> messages = 11;
          repeated string strings = 12;
          optional google.protobuf.Any any = 13;
          extensions 100 to max;
        }
        message Colors {
          optional string name = 1;
          repeated Color packed = 2 [packed = true];
          repeated Colors nested = 3;
        }
        enum Color { RED = 0; }
        extend Holder {
          optional string own_text = 100;
          optional Colors own_message = 101;
          repeated string own_strings = 102;
          repeated int32 own_numbers = 103 [packed = true];
        }
        """;

    const string source = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using ProtoBench.Allocators;
        using ProtoBench.Codec;
        using ProtoBench.Codec.WellKnownTypes;
        using Slab.Holder;

        #pragma warning disable CS1591
        public static class Uses
        {
            const int limit = 64 * 1024;
            static readonly string text = new('x', 500);

            static void Fill(Holder holder)
            {
                holder.SetText("old");
                holder.SetOne("keep me");
                holder.MutableColors().SetName("red");
                holder.AddList().SetName("first");
                holder.SetTexts("key", "value");
                holder.MutableMessages("key").SetName("old");
                holder.AddStrings("a");
                holder.MutableAny().SetTypeUrl("a/b");
                holder.SetExtension(HolderExtensions.OwnText, "keep me");
                using var colors = Colors.Rent();
                colors.Value.SetName("keep me");
                holder.SetExtension(HolderExtensions.OwnMessage, colors);
                holder.AddExtension(HolderExtensions.OwnStrings, "keep me");
                for (var i = 0; i < 20; i++) holder.AddExtension(HolderExtensions.OwnNumbers, i);
            }

            static readonly Dictionary<string, Action<Holder, Colors>> setters = new()
            {
                ["text"] = (holder, _) => holder.SetText(text),
                ["wrapper"] = (holder, _) => holder.SetWrapped(text),
                ["wrapper of bytes"] = (holder, _) => holder.SetWrappedBytes(new byte[500]),
                ["oneof"] = (holder, _) => holder.SetOne(text),
                ["oneof, wrapper"] = (holder, _) => holder.SetTwo(text),
                ["oneof, message"] = (holder, colors) => holder.SetThree(colors),
                ["message"] = (holder, colors) => holder.SetColors(colors),
                ["copy"] = (holder, colors) => holder.Colors.CopyFrom(colors),
                ["list"] = (holder, colors) => holder.AddList(colors),
                ["list of strings"] = (holder, _) => holder.AddStrings(text),
                ["element"] = (holder, _) => holder.SetStrings(0, text),
                ["map"] = (holder, _) => holder.SetTexts("key", text),
                ["map, new key"] = (holder, _) => holder.SetTexts(text, "value"),
                ["map of messages"] = (holder, colors) => holder.SetMessages("key", colors),
                ["map of messages, new key"] = (holder, colors) => holder.SetMessages(text, colors),
                ["map, opened"] = (holder, _) => holder.MutableMessages(text),
                ["any"] = (holder, colors) => holder.Any.Pack(colors),
                ["extension"] = (holder, _) => holder.SetExtension(HolderExtensions.OwnText, text),
                ["extension, message"] = (holder, colors) =>
                {
                    using var message = Colors.Rent();
                    message.Value.CopyFrom(colors);
                    holder.SetExtension(HolderExtensions.OwnMessage, message);
                },
                ["extension, list"] = (holder, _) => holder.AddExtension(HolderExtensions.OwnStrings, text),
                ["extension, packed"] = (holder, _) => holder.AddExtension(HolderExtensions.OwnNumbers, 5),
            };

            public static string[] Names() => [.. setters.Keys];

            // The filler is so long that the memory ends at another byte of the value in each round.
            public static string Changed(string name)
            {
                using var source = Colors.Rent();
                source.Value.SetName(text);
                for (var i = 0; i < 200; i++) source.Value.AddPacked((Color)(i + 70));
                using var pool = SlabPool.Create(new() { SlabSize = limit, MaxBytes = limit });
                var failures = 0;
                for (var filler = 0; ; filler += 7)
                {
                    using var message = Message<Holder>.Rent(pool);
                    Fill(message.Value);
                    message.Value.SetFiller(new byte[limit - (5 * 1024)]);
                    try
                    {
                        message.Value.AddStrings(new string('x', filler));
                    }
                    catch (SlabPoolExhaustedException)
                    {
                        return failures > 0 ? "" : $"{name} never failed";
                    }

                    var before = message.ToByteArray();
                    try
                    {
                        setters[name](message.Value, source.Value);
                    }
                    catch (SlabPoolExhaustedException)
                    {
                        failures++;
                        if (!message.ToByteArray().AsSpan().SequenceEqual(before)) return $"{name}, filler {filler}: changed";
                        message.Value.AddList();
                        if (message.Value.List.Last().ToByteArray().Length > 0) return $"{name}, filler {filler}: the next element is not empty";
                    }
                }
            }
        }
        """;

    [Fact]
    public void A_setter_without_memory_for_the_value_changes_nothing()
    {
        using var workshop = new Workshop("holder.proto", schema);
        workshop.AddSource(source);
        workshop.GenerateAll(_ => "Slab.Holder");
        var uses = workshop.Compile().GetType("Uses")!;
        var names = (string[])uses.GetMethod("Names")!.Invoke(null, null)!;
        var faults = names.Select(name => (string)uses.GetMethod("Changed")!.Invoke(null, [name])!).Where(fault => fault.Length > 0);
        Assert.Equal("", string.Join('\n', faults));
    }
}
