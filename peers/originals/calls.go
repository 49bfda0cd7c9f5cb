// The calls of the published table, without TLS: an echo with client and server in this process, each answer compared with the request.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/rpc"
	echo "pb/echo"

	"github.com/golang/protobuf/proto"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/h2c"
	"google.golang.org/grpc"
)

const method = "/EchoPkg.EchoService/Echo"

// Echoes is the service of net/rpc.
type Echoes struct{}

// Echo answers with the body of the request.
func (*Echoes) Echo(request, reply *echo.Echo) error {
	reply.Body = request.Body
	return nil
}

// start returns the name of the system, and a function that makes one call.
func start(stack string, body []byte, callers int) (string, func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	address := listener.Addr().String()
	request := &echo.Echo{Body: body}
	var name string
	var call func(reply *echo.Echo) error
	switch stack {
	case "gRPC":
		server := grpc.NewServer()
		server.RegisterService(&grpc.ServiceDesc{ServiceName: "EchoPkg.EchoService", HandlerType: (*interface{})(nil),
			Methods: []grpc.MethodDesc{{MethodName: "Echo", Handler: answer}}}, nil)
		go server.Serve(listener)
		client, err := grpc.Dial(address, grpc.WithInsecure())
		check(err)
		name, call = "grpc-go", func(reply *echo.Echo) error { return client.Invoke(context.Background(), method, request, reply) }
	case "gob", "protobuf":
		server := rpc.NewServer()
		check(server.Register(&Echoes{}))
		go func() {
			for {
				link, err := listener.Accept()
				check(err)
				if stack == "gob" {
					go server.ServeConn(link)
				} else {
					go server.ServeCodec(newCodec(link))
				}
			}
		}()
		link, err := net.Dial("tcp", address)
		check(err)
		var client *rpc.Client
		if stack == "gob" {
			client = rpc.NewClient(link)
		} else {
			client = rpc.NewClientWithCodec(newCodec(link))
		}
		name, call = "net/rpc "+stack, func(reply *echo.Echo) error { return client.Call("Echoes.Echo", request, reply) }
	default:
		var handler http.Handler = http.HandlerFunc(serve)
		var transport http.RoundTripper = &http.Transport{MaxIdleConnsPerHost: callers, DisableCompression: true}
		name = "net/http 1.1"
		if stack == "HTTP2" {
			name, handler = "net/http 2", h2c.NewHandler(handler, &http2.Server{})
			transport = &http2.Transport{AllowHTTP: true, DisableCompression: true,
				DialTLS: func(network, address string, _ *tls.Config) (net.Conn, error) { return net.Dial(network, address) }}
		}
		go http.Serve(listener, handler)
		call = func(reply *echo.Echo) error {
			return post(&http.Client{Transport: transport}, "http://"+address, request, reply)
		}
	}
	return name, func() {
		reply := &echo.Echo{}
		check(call(reply))
		if !bytes.Equal(reply.Body, body) {
			panic("another body")
		}
	}
}

func answer(_ interface{}, _ context.Context, decode func(interface{}) error, _ grpc.UnaryServerInterceptor) (interface{}, error) {
	request := &echo.Echo{}
	err := decode(request)
	return &echo.Echo{Body: request.Body}, err
}

func serve(writer http.ResponseWriter, received *http.Request) {
	wire, err := io.ReadAll(received.Body)
	check(err)
	request := &echo.Echo{}
	check(proto.Unmarshal(wire, request))
	wire, err = proto.Marshal(&echo.Echo{Body: request.Body})
	check(err)
	writer.Write(wire)
}

func post(client *http.Client, address string, request, reply *echo.Echo) error {
	wire, err := proto.Marshal(request)
	check(err)
	response, err := client.Post(address, "application/x-protobuf", bytes.NewReader(wire))
	check(err)
	defer response.Body.Close()
	wire, err = io.ReadAll(response.Body)
	check(err)
	return proto.Unmarshal(wire, reply)
}

// protoCodec is net/rpc with protobuf: the number of the call, the method, an error, and the message, each after its length.
type protoCodec struct {
	io.Closer
	from *bufio.Reader
	to   *bufio.Writer
}

func newCodec(link net.Conn) *protoCodec {
	return &protoCodec{link, bufio.NewReader(link), bufio.NewWriter(link)}
}

func (c *protoCodec) write(seq uint64, texts []string, message interface{}) error {
	wire, err := proto.Marshal(message.(proto.Message))
	check(err)
	head := binary.AppendUvarint(nil, seq)
	for _, text := range texts {
		head = append(binary.AppendUvarint(head, uint64(len(text))), text...)
	}
	c.to.Write(binary.AppendUvarint(head, uint64(len(wire))))
	c.to.Write(wire)
	return c.to.Flush()
}

func (c *protoCodec) bytes() (part []byte, err error) {
	length, err := binary.ReadUvarint(c.from)
	if err == nil {
		part = make([]byte, length)
		_, err = io.ReadFull(c.from, part)
	}
	return
}

func (c *protoCodec) head(seq *uint64, texts ...*string) (err error) {
	*seq, err = binary.ReadUvarint(c.from)
	for i := 0; i < len(texts) && err == nil; i++ {
		var text []byte
		text, err = c.bytes()
		*texts[i] = string(text)
	}
	return
}

func (c *protoCodec) body(message interface{}) error {
	wire, err := c.bytes()
	if err != nil || message == nil {
		return err
	}
	return proto.Unmarshal(wire, message.(proto.Message))
}

func (c *protoCodec) WriteRequest(r *rpc.Request, m interface{}) error {
	return c.write(r.Seq, []string{r.ServiceMethod}, m)
}
func (c *protoCodec) ReadRequestHeader(r *rpc.Request) error { return c.head(&r.Seq, &r.ServiceMethod) }
func (c *protoCodec) ReadRequestBody(m interface{}) error    { return c.body(m) }
func (c *protoCodec) WriteResponse(r *rpc.Response, m interface{}) error {
	return c.write(r.Seq, []string{r.ServiceMethod, r.Error}, m)
}
func (c *protoCodec) ReadResponseHeader(r *rpc.Response) error {
	return c.head(&r.Seq, &r.ServiceMethod, &r.Error)
}
func (c *protoCodec) ReadResponseBody(m interface{}) error { return c.body(m) }
