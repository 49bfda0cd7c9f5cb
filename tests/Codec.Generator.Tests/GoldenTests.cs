using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The generated text of one message, so that a change of the generator is seen in review.</summary>
public class GoldenTests
{
    [Fact]
    public void The_text_of_one_message()
    {
        using var workshop = new Workshop("note.proto", """
            syntax = "proto3";

            package notes;

            // What somebody wrote.
            message Note {
              string text = 1;
              // Answers, oldest first.
              repeated Note replies = 2;
              optional int32 stars = 3;
              oneof origin {
                string person = 4;
                Mood mood = 5;
              }
              map<int32, bytes> parts = 6;
              repeated sint64 times = 7;
              Note about = 8;
            }

            enum Mood {
              MOOD_UNSPECIFIED = 0;
              MOOD_CALM = 1;
            }
            """);
        workshop.GenerateAll();
        Golden.Check("note.slab.cs.txt", workshop.Generated("note.proto"));
    }
}
