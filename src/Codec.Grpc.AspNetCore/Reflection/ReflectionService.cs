namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Implements grpc.reflection.v1.</summary>
sealed class ReflectionService(ReflectedServices services) : V1.ServerReflection.ServerReflectionBase
{
    public override async Task ServerReflectionInfo(SlabStreamReader<V1.ServerReflectionRequest> requests,
        SlabStreamWriter<V1.ServerReflectionResponse> replies, ServerCallContext context)
    {
        while (await requests.MoveNext(context.CancellationToken).ConfigureAwait(false))
        {
            services.Schema.Answer(requests.Current, replies.Next);
            await replies.WriteAsync(context.CancellationToken).ConfigureAwait(false);
        }
    }
}

/// <summary>Implements grpc.reflection.v1alpha, whose messages are those of v1 on the wire.</summary>
sealed class ReflectionServiceV1Alpha(ReflectedServices services) : V1Alpha.ServerReflection.ServerReflectionBase
{
    public override async Task ServerReflectionInfo(SlabStreamReader<V1Alpha.ServerReflectionRequest> requests,
        SlabStreamWriter<V1Alpha.ServerReflectionResponse> replies, ServerCallContext context)
    {
        while (await requests.MoveNext(context.CancellationToken).ConfigureAwait(false))
        {
            using var request = V1.ServerReflectionRequest.Rent();
            using var reply = V1.ServerReflectionResponse.Rent();
            services.Schema.Answer(request.Parse(requests.Current.ToByteArray()), reply.Value);
            await replies.WriteAsync(reply.ToByteArray(), context.CancellationToken).ConfigureAwait(false);
        }
    }
}
