using Orders.SlabProtobuf;

var builder = Host.CreateApplicationBuilder();
builder.Logging.ClearProviders();
builder.Services.AddGrpcClient<OrderDesk.OrderDeskClient>(options => options.Address = new(args[0]));
builder.Services.AddHostedService<Customer>();
await builder.Build().RunAsync();

sealed class Customer(OrderDesk.OrderDeskClient client, IHostApplicationLifetime host) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        Console.WriteLine(await Calls.MakeAsync(client, hasRequestStreams: true));
        host.StopApplication();
    }
}
