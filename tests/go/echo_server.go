// Echo and Fail on grpc-go, with bytes as messages. Prints its port.
package main

import (
	"fmt"
	"io"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type raw struct{}

func (raw) Marshal(v interface{}) ([]byte, error)   { return *v.(*[]byte), nil }
func (raw) Unmarshal(b []byte, v interface{}) error { *v.(*[]byte) = append([]byte(nil), b...); return nil }
func (raw) String() string                          { return "raw" }

func handle(_ interface{}, stream grpc.ServerStream) error {
	var message []byte
	if err := stream.RecvMsg(&message); err != nil {
		return err
	}
	if method, _ := grpc.MethodFromServerStream(stream); method == "/test.Echo/Fail" {
		return status.Error(codes.FailedPrecondition, "sold out, 100 %")
	}
	return stream.SendMsg(&message)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := grpc.NewServer(grpc.CustomCodec(raw{}), grpc.UnknownServiceHandler(handle))
	go server.Serve(listener)
	io.Copy(io.Discard, os.Stdin)
	server.Stop()
}
