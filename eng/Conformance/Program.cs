using System.Buffers.Binary;
using Conformance;
using Google.Protobuf;
using ProtoBench.Conformance;

// A program under test of protobuf's conformance runner, which starts it and talks to it by standard input and output. A request and its
// response have their length in front, in four bytes. PROTOBENCH_FORM chooses the form of the slab codec, "google" for Google's classes, or
// "schemas" for the reader of JSON payloads, whose schema is known at run time only.
var name = (Environment.GetEnvironmentVariable("PROTOBENCH_FORM") ?? "").ToUpperInvariant();
var form = Form.Copy;
if (name is not ("GOOGLE" or "SCHEMAS") && !Enum.TryParse(name, ignoreCase: true, out form))
{
    Console.Error.WriteLine($"PROTOBENCH_FORM is '{name}', and not google, schemas, {string.Join(", ", Forms.All)}");
    return 2;
}

var testee = new Testee(name == "GOOGLE" ? null : form, readsBySchema: name == "SCHEMAS");
using var input = Console.OpenStandardInput();
using var output = Console.OpenStandardOutput();
var length = new byte[sizeof(int)];
while (input.ReadAtLeast(length, length.Length, throwOnEndOfStream: false) == length.Length)
{
    var request = new byte[BinaryPrimitives.ReadInt32LittleEndian(length)];
    input.ReadExactly(request);
    ConformanceResponse response;
    try
    {
        response = testee.Answer(ConformanceRequest.Parser.ParseFrom(request));
    }
#pragma warning disable CA1031 // whatever it is: the case has failed, and the next one follows
    catch (Exception e)
#pragma warning restore CA1031
    {
        response = new() { RuntimeError = e.ToString() };
    }

    BinaryPrimitives.WriteInt32LittleEndian(length, response.CalculateSize());
    output.Write(length);
    response.WriteTo(output);
    output.Flush();
}

return 0;
