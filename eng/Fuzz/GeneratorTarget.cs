using System.Diagnostics;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;
using GeneratorArguments = ProtoBench.Codec.Generator.Build.Arguments;

namespace ProtoBench.Fuzz;

/// <summary>An input is a FileDescriptorSet. If protoc accepts it, the generator reports errors, or writes C# that can be parsed.</summary>
static class GeneratorTarget
{
    static readonly string protoc =
        typeof(GeneratorTarget).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(fact => fact.Key == "Protoc").Value!;

    public static void Run(byte[] input)
    {
#pragma warning disable CA1031 // what Google's class makes of it is not judged, and protoc decides whether the generator has to do better
        FileDescriptorSet set;
        try
        {
            set = FileDescriptorSet.Parser.ParseFrom(input);
            FileDescriptor.BuildFromByteStrings(set.File.Select(file => file.ToByteString()));
        }
        catch
        {
            return;
        }

        // what protoc calls a file
        if (set.File.Any(file => file.Name.Length == 0 || !file.Name.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '/' or '.')))
            return;
        try
        {
            Generate(input, set);
        }
        catch when (!IsAccepted(input, set))
        {
            // never an input of the generator
        }
#pragma warning restore CA1031
    }

    static void Generate(byte[] input, FileDescriptorSet set)
    {
        var items = set.File.Select(file => new ProtoItem("/protos/" + file.Name, "/protos", "", true, true, GrpcServices.Both));
        var reader = new DescriptorReader();
        var files = reader.Read([.. input]).File;
        var diagnostics = new Diagnostics();
        var schema = new Schema(files, GeneratorArguments.Of(items), diagnostics);
        Restrictions.CheckDefaults(schema.Files, reader.IsReplaced, diagnostics);
        if (diagnostics.Errors.Count > 0) return;
        foreach (var file in schema.Files.Where(file => file.IsGenerated))
        {
            foreach (var code in new[] { FileCode.Write(file), GoogleConversions.Write(file) })
            {
                var error = CSharpSyntaxTree.ParseText(code).GetDiagnostics()
                    .FirstOrDefault(one => one.Severity == DiagnosticSeverity.Error);
                if (error is not null) throw new FindingException($"{error}\n{code}");
            }
        }
    }

    static bool IsAccepted(byte[] input, FileDescriptorSet set)
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, input);
            var start = new ProcessStartInfo(protoc,
                ["--descriptor_set_in=" + path, "--descriptor_set_out=" + path, .. set.File.Select(file => file.Name)]);
            start.RedirectStandardError = true;
            using var process = Process.Start(start)!;
            process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        finally
        {
            File.Delete(path);
        }
    }
}
