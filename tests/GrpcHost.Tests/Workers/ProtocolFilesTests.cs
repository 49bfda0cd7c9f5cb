using Google.Protobuf.Reflection;
using ProtoBench.GrpcHost.Protocol;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>The files in protos/grpc against the official ones, where these are installed.</summary>
public class ProtocolFilesTests
{
    const string official = "/usr/share/grpc-proto";

    [Fact]
    public async Task Names_and_numbers_are_those_of_the_official_files()
    {
        Assert.SkipUnless(Directory.Exists(official), "needs the official .proto files (Debian: apt-get install grpc-proto)");
        string[] names = ["worker_service", "benchmark_service", "control", "stats", "payloads", "messages"];
        var schema = await ProtoSchema.LoadAsync([.. names.Select(name => Path.Combine(official, "grpc", "testing", name + ".proto"))],
            [official], TestContext.Current.CancellationToken);
        var compared = 0;
        foreach (var file in (FileDescriptor[])[ControlReflection.Descriptor, StatsReflection.Descriptor, PayloadsReflection.Descriptor,
            MessagesReflection.Descriptor, GrpcHost.Protocol.Core.StatsReflection.Descriptor])
        {
            foreach (var message in file.MessageTypes)
            {
                var theirs = schema.Message(message.FullName);
                foreach (var field in message.Fields.InDeclarationOrder())
                {
                    // a field that is newer than the installed files is in none of them, neither by name nor by number
                    var byName = theirs.Find(field.Name);
                    var byNumber = theirs.Fields.FirstOrDefault(one => one.Number == field.FieldNumber);
                    Assert.True(byName?.Number == byNumber?.Number, $"{field.FullName} = {field.FieldNumber}");
                    if (byName is null)
                        continue;
                    var ours = field.ToProto();
                    Assert.Equal((field.FullName, ours.Type, ours.Label, ours.TypeName),
                        (field.FullName, byName.Type, byName.Label, byName.TypeName));
                    compared++;
                }
            }

            foreach (var type in file.EnumTypes)
            {
                var theirs = schema.Files.SelectMany(one => one.EnumType.Where(e => "." + one.Package + "." + e.Name == "." + type.FullName)).Single();
                foreach (var value in type.Values)
                {
                    if (theirs.Value.FirstOrDefault(one => one.Number == value.Number) is { } known)
                        Assert.Equal(known.Name, value.Name);
                }
            }
        }

        Assert.True(compared > 80, $"only {compared} fields were compared");
        var services = schema.Files.SelectMany(file => file.Service.SelectMany(service => service.Method.Select(method =>
            $"{file.Package}.{service.Name}/{method.Name} {method.InputType} {method.ClientStreaming} {method.OutputType} {method.ServerStreaming}")))
            .ToHashSet();
        foreach (var file in (FileDescriptor[])[WorkerServiceReflection.Descriptor, BenchmarkServiceReflection.Descriptor])
        {
            Assert.All(file.Services[0].Methods, method => Assert.Contains(
                $"{method.Service.FullName}/{method.Name} .{method.InputType.FullName} {method.IsClientStreaming} .{method.OutputType.FullName} {method.IsServerStreaming}",
                services));
        }
    }
}
