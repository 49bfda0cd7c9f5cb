// The service of tests/Rpc.Tests/Peers/EchoService.cs on grpc-go: Echo, Fail, Duplex, Collect and Expand, with bytes as messages. Prints its port.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"
)

type raw struct{}

func (raw) Marshal(v interface{}) ([]byte, error)   { return *v.(*[]byte), nil }
func (raw) Unmarshal(b []byte, v interface{}) error { *v.(*[]byte) = append([]byte(nil), b...); return nil }
func (raw) String() string                          { return "raw" }

func handle(_ interface{}, stream grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(stream)
	count, size := 0, 0
	for {
		var message []byte
		err := stream.RecvMsg(&message)
		switch name := path.Base(method); {
		case err == io.EOF && name == "Collect":
			message = []byte(fmt.Sprintf("%d %d", count, size))
			return stream.SendMsg(&message)
		case err == io.EOF && name == "Duplex":
			return nil
		case err != nil:
			return err
		case name == "Fail":
			return status.Error(codes.FailedPrecondition, "sold out, 100 %")
		case name == "Collect":
			count, size = count+1, size+len(message)
		case name == "Expand":
			fmt.Sscan(string(message), &count, &size)
			for message = make([]byte, size); count > 0; count-- {
				if err := stream.SendMsg(&message); err != nil {
					return err
				}
			}
			return nil
		default:
			if err := stream.SendMsg(&message); err != nil || name == "Echo" {
				return err
			}
		}
	}
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
