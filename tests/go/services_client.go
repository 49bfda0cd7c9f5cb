// grpc-go as a client of the services in tests/Codec.Grpc.Tests/ServicesTests.cs: reflection (v1alpha), health, and an error with details.
// Argument: the address. Prints a line for each case, and ends with 1 when one has failed.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/golang/protobuf/proto"
	"github.com/golang/protobuf/protoc-gen-go/descriptor"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	health "google.golang.org/grpc/health/grpc_health_v1"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
)

type raw struct{}

func (raw) Marshal(v interface{}) ([]byte, error) { return *v.(*[]byte), nil }
func (raw) Unmarshal(b []byte, v interface{}) error {
	*v.(*[]byte) = append([]byte(nil), b...)
	return nil
}
func (raw) Name() string { return "raw" }

func must(condition bool, name string, seen interface{}) {
	if !condition {
		fmt.Printf("failed %s: %v\n", name, seen)
		os.Exit(1)
	}
	fmt.Println("ok", name)
}

func main() {
	limit, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	channel, err := grpc.DialContext(limit, os.Args[1], grpc.WithInsecure(), grpc.WithBlock())
	must(err == nil, "connection", err)

	stream, err := reflection.NewServerReflectionClient(channel).ServerReflectionInfo(limit)
	must(err == nil, "stream", err)
	ask := func(request *reflection.ServerReflectionRequest) *reflection.ServerReflectionResponse {
		if err := stream.Send(request); err != nil {
			must(false, "request", err)
		}
		answer, err := stream.Recv()
		if err != nil {
			must(false, "answer", err)
		}
		return answer
	}
	answer := ask(&reflection.ServerReflectionRequest{MessageRequest: &reflection.ServerReflectionRequest_ListServices{}})
	var services []string
	for _, service := range answer.GetListServicesResponse().GetService() {
		services = append(services, service.Name)
	}
	sort.Strings(services)
	must(strings.Join(services, " ") == "grpc.health.v1.Health grpc.reflection.v1.ServerReflection "+
		"grpc.reflection.v1alpha.ServerReflection orders.OrderDesk", "list", services)
	answer = ask(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: "orders.OrderDesk"}})
	files := answer.GetFileDescriptorResponse().GetFileDescriptorProto()
	must(len(files) == 1, "files", answer)
	var file descriptor.FileDescriptorProto
	must(proto.Unmarshal(files[0], &file) == nil && file.GetName() == "orders.proto", "file", file.GetName())
	must(file.GetService()[0].GetMethod()[1].GetServerStreaming(), "methods", file.GetService())
	answer = ask(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileByFilename{FileByFilename: "no.proto"}})
	must(codes.Code(answer.GetErrorResponse().GetErrorCode()) == codes.NotFound, "no file", answer)

	checks := health.NewHealthClient(channel)
	reply, err := checks.Check(limit, &health.HealthCheckRequest{Service: "orders.OrderDesk"})
	must(err == nil && reply.Status == health.HealthCheckResponse_SERVING, "health", err)
	_, err = checks.Check(limit, &health.HealthCheckRequest{Service: "no.Service"})
	must(status.Code(err) == codes.NotFound, "health of no service", err)
	watch, err := checks.Watch(limit, &health.HealthCheckRequest{})
	must(err == nil, "watch", err)
	first, err := watch.Recv()
	must(err == nil && first.Status == health.HealthCheckResponse_SERVING, "first status", err)

	request, ignored := []byte{}, []byte{}
	err = channel.Invoke(limit, "/orders.OrderDesk/Place", &request, &ignored, grpc.ForceCodec(raw{}))
	refused, _ := status.FromError(err)
	must(refused.Code() == codes.InvalidArgument && refused.Message() == "two fields are missing", "error", err)
	details := refused.Details()
	must(len(details) == 3, "details", details)
	bad, isBad := details[0].(*errdetails.BadRequest)
	must(isBad && len(bad.FieldViolations) == 2 && bad.FieldViolations[1].Field == "article", "BadRequest", details[0])
	info, isInfo := details[1].(*errdetails.ErrorInfo)
	must(isInfo && info.Metadata["shop"] == "7", "ErrorInfo", details[1])
	retry, isRetry := details[2].(*errdetails.RetryInfo)
	must(isRetry && retry.RetryDelay.Seconds == 1 && retry.RetryDelay.Nanos == 500000000, "RetryInfo", details[2])
}
