using Grpc.Core;
using ProtoBench.Codec;
using ProtoBench.Codec.Grpc.Errors;
using ProtoBench.Codec.WellKnownTypes;

namespace Catalog;

sealed class CatalogService(Products products) : Catalog.CatalogBase
{
    public override ValueTask Get(GetRequest request, Product reply, ServerCallContext context)
    {
        var id = request.Id.ToString();
        using var product = Product.Rent();
        if (!products.TryRead(id, product)) throw Missing(id);
        reply.CopyFrom(product.Value);
        return default;
    }

    public override ValueTask Update(UpdateRequest request, Product reply, ServerCallContext context)
    {
        if (!request.Mask.IsValid<Product>())
        {
            throw RpcError.Create(StatusCode.InvalidArgument, "the mask is not valid", status => status.AddDetail<BadRequest>(bad =>
                bad.AddFieldViolations().Fill(field =>
                {
                    field.SetField("mask");
                    field.SetDescription($"{request.Mask.ToJson()} has a path that Product does not have");
                })));
        }

        var id = request.Product.Id.ToString();
        using var product = Product.Rent();
        if (!products.TryRead(id, product)) throw Missing(id);
        request.Mask.Merge(request.Product, product.Value);
        products.Store(id, product);
        reply.CopyFrom(product.Value);
        return default;
    }

    static RpcException Missing(string id) =>
        RpcError.Create(StatusCode.NotFound, "there is no such product", status => status.AddDetail<ResourceInfo>(info =>
        {
            info.SetResourceType(Product.Descriptor.FullName);
            info.SetResourceName(id);
        }));
}
