// Host and client of the hive on grpc-go, with the messages of google.golang.org/protobuf. "peer host" prints its port. "peer FOLDER" makes
// calls: the form of its requests and answers is that of all programs (peers/dotnet/Peer.cs has it), with a host for the set and a number
// of callers for the verb.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"net"
	"os"
	"path/filepath"
	"pb/hive"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

const path = "/TestProxyPkg.TestProxy/Forward"

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// grpc-go of Debian has the older protobuf library
type codec struct{}

func (codec) Marshal(v interface{}) ([]byte, error)   { return proto.Marshal(v.(proto.Message)) }
func (codec) Unmarshal(b []byte, v interface{}) error { return proto.Unmarshal(b, v.(proto.Message)) }
func (codec) Name() string                            { return "proto" }
func (codec) String() string                          { return "proto" }

// the answer of HiveAnswer in src/GrpcHost: a float and 32 bytes, from the id of the item
func answerOf(id string) (float32, []byte) {
	const spread = 0x9E3779B97F4A7C15
	key := uint64(1)
	for i := 0; i < len(id); i++ {
		key = bits.RotateLeft64(key, 8) ^ uint64(id[i])
	}
	key *= spread
	extra := make([]byte, 32)
	for i, part := range [4]uint64{key, key + spread, key ^ spread, ^key} {
		binary.LittleEndian.PutUint64(extra[8*i:], part)
	}
	return float32(key>>40) + 1, extra
}

func forward(_ interface{}, _ context.Context, decode func(interface{}) error, _ grpc.UnaryServerInterceptor) (interface{}, error) {
	request := &hive.ForwardRequest{}
	if err := decode(request); err != nil {
		return nil, err
	}
	began := time.Now()
	const year1 = 621355968000000000 // of .NET's ticks
	reply := &hive.ForwardResponse{RouteStartTimeInTicks: year1 + began.UnixNano()/100}
	reply.ItemResponses = make([]*hive.ForwardPerItemResponse, len(request.ItemRequests))
	for i, item := range request.ItemRequests {
		result, extra := answerOf(item.ItemId)
		reply.ItemResponses[i] = &hive.ForwardPerItemResponse{Result: result, ExtraResult: extra}
	}
	reply.RouteLatencyInUs = time.Since(began).Microseconds()
	return reply, nil
}

func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := grpc.NewServer(grpc.CustomCodec(codec{}))
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "TestProxyPkg.TestProxy", HandlerType: (*interface{})(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Forward", Handler: forward}},
	}, nil)
	go func() { check(server.Serve(listener)) }()
	io.Copy(io.Discard, os.Stdin)
	server.Stop()
}

// every length, and all bytes of one item
func isRight(reply *hive.ForwardResponse, request *hive.ForwardRequest, call int) bool {
	if len(reply.ItemResponses) != len(request.ItemRequests) {
		return false
	}
	for _, item := range reply.ItemResponses {
		if len(item.ExtraResult) != 32 {
			return false
		}
	}
	one := call % len(reply.ItemResponses)
	_, extra := answerOf(request.ItemRequests[one].ItemId)
	return bytes.Equal(reply.ItemResponses[one].ExtraResult, extra)
}

// nanoseconds for a call, from the rate of all callers
func nanoseconds(host *grpc.ClientConn, request *hive.ForwardRequest, callers int, seconds float64) float64 {
	start, counts, wait := time.Now(), make([]int, callers), sync.WaitGroup{}
	for i := range counts {
		wait.Add(1)
		go func(count *int) {
			for ; time.Since(start).Seconds() < seconds; *count++ {
				reply := &hive.ForwardResponse{}
				check(host.Invoke(context.Background(), path, request, reply, grpc.ForceCodec(codec{})))
				if !isRight(reply, request, *count) {
					check(fmt.Errorf("a wrong reply"))
				}
			}
			wait.Done()
		}(&counts[i])
	}
	wait.Wait()
	used, calls := time.Since(start), 0
	for _, count := range counts {
		calls += count
	}
	return float64(used.Nanoseconds()) / float64(calls)
}

func main() {
	if os.Args[1] == "host" {
		serve()
		return
	}
	wire, err := os.ReadFile(filepath.Join(os.Args[1], "Hive.bin"))
	check(err)
	request := &hive.ForwardRequest{}
	check(proto.Unmarshal(wire, request))
	hosts, warm := map[string]*grpc.ClientConn{}, map[string]bool{}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var host string
		var callers int
		var seconds, warmUp float64
		_, err := fmt.Sscan(lines.Text(), &host, &callers, &seconds, &warmUp)
		check(err)
		if hosts[host] == nil {
			port, err := os.ReadFile(filepath.Join(os.Args[1], host+".port"))
			check(err)
			hosts[host], err = grpc.Dial("127.0.0.1:"+string(port), grpc.WithInsecure())
			check(err)
		}
		if key := fmt.Sprint(host, callers); !warm[key] {
			warm[key] = true
			nanoseconds(hosts[host], request, callers, warmUp)
		}
		fmt.Printf(`{"library":"Go","version":%q,"way":"call","set":%q,"verb":"%d","bytes":%d,"ns":%f}`+"\n\n",
			grpc.Version, host, callers, len(wire), nanoseconds(hosts[host], request, callers, seconds))
	}
}
