using System.Globalization;
using System.Net;
using Consumer;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Shop;

// A message is built, written, read again, and its content is printed.
using var sent = Order.Rent();
var order = sent.Value;
order.SetCustomer("Ada");
var line = order.AddLines();
line.SetArticle("tea");
line.SetCount(2);
line.MutablePrice().SetCents(450);
var wire = sent.ToByteArray();

using var received = Order.Rent();
var copy = received.Parse(wire.AsSpan());
foreach (var one in copy.Lines)
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{copy.Customer} orders {one.Count} {one.Article} for {one.Price.Cents} cents each: {wire.Length} bytes"));

// It is sent to a service.
var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
builder.Services.AddGrpc().AddSlabMessages();
await using var app = builder.Build();
app.MapGrpcService<PriceDesk>();
await app.StartAsync();
using var channel = GrpcChannel.ForAddress(app.Urls.Single());
using var price = await new Desk.DeskClient(channel).PlaceAsync(sent);
Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"the service asks for {price.Value.Cents} cents"));
