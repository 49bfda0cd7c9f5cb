using System.Net;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.FileProviders;
using Orders.SlabProtobuf;

// HTTP/2 for programs, and HTTP/1.1 with gRPC-Web and the files of a folder for a browser. Writes the two addresses on one line, and runs
// until its input ends.
var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.ConfigureKestrel(kestrel =>
{
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
});
builder.Services.AddGrpc().AddSlabMessages();
await using var app = builder.Build();
if (args is [var folder])
{
    var files = new PhysicalFileProvider(folder);
    app.UseDefaultFiles(new DefaultFilesOptions { FileProvider = files });
    app.UseStaticFiles(new StaticFileOptions { FileProvider = files, ServeUnknownFileTypes = true });
}

app.UseGrpcWeb(new() { DefaultEnabled = true });
app.MapGrpcService<SlabDesk>();
await app.StartAsync();
Console.WriteLine(string.Join(' ', app.Urls));
while (Console.ReadLine() is not null)
{
}
