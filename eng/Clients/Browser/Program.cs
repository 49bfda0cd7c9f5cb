using System.Runtime.InteropServices.JavaScript;
using System.Runtime.Versioning;
using Grpc.Net.Client;
using Grpc.Net.Client.Web;
using Microsoft.AspNetCore.Components.WebAssembly.Hosting;
using Orders.SlabProtobuf;

[assembly: SupportedOSPlatform("browser")]

// The answers are the text of the page. A browser has no streams of requests.
var builder = WebAssemblyHostBuilder.CreateDefault(args);
var page = JSHost.GlobalThis.GetPropertyAsJSObject("document")!.GetPropertyAsJSObject("body")!;
try
{
    using var handler = new GrpcWebHandler(new HttpClientHandler());
    using var channel = GrpcChannel.ForAddress(builder.HostEnvironment.BaseAddress, new() { HttpHandler = handler });
    page.SetProperty("textContent", await Calls.MakeAsync(new OrderDesk.OrderDeskClient(channel), hasRequestStreams: false));
}
catch (Exception e)
{
    page.SetProperty("textContent", e.ToString());
}
