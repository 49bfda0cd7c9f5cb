using Catalog;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using ProtoBench.Codec;

// A service with reflection, health, errors with details, field masks and JSON, without Google.Protobuf.
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton<Products>();
builder.Services.AddGrpc().AddSlabMessages();
builder.Services.AddSlabReflection();
builder.Services.AddSlabHealthChecks().AddCheck("products", () => HealthCheckResult.Healthy());

var app = builder.Build();
app.MapGrpcService<CatalogService>();
app.MapSlabReflectionService();
app.MapSlabHealthChecksService();

app.MapGet("/products/{id}", (string id, Products products, HttpResponse response) =>
{
    using var product = Product.Rent();
    if (!products.TryRead(id, product))
    {
        response.StatusCode = StatusCodes.Status404NotFound;
        return;
    }

    response.ContentType = "application/json";
    product.Value.WriteJson(response.BodyWriter);
});
app.MapPut("/products/{id}", async (string id, Products products, HttpRequest request) =>
{
    using var product = Product.Rent();
    try
    {
        await product.ParseJsonAsync(request.Body, null, request.HttpContext.RequestAborted);
    }
    catch (ProtoJsonException e)
    {
        return Results.BadRequest($"line {e.Line}, column {e.Column}: {e.Reason}");
    }

    products.Store(id, product);
    return Results.NoContent();
});
app.Run();
