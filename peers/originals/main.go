// The systems of the published tables that Debian has: formats of one group of colors, the encoding of a frame, and calls. The form of the
// requests and answers is that of all programs: peers/dotnet/Peer.cs has it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	gogo "gogo"
	"os"
	"packed"
	"pb/colors"
	echo "pb/echo"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/protobuf/proto"
)

// the build sets them
var protobufVersion, gogoVersion, msgpVersion string

type way struct {
	library, version string
	nanoseconds      func(seconds float64) float64
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// processor time of the process, with that of the collector
func now() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Sec+usage.Stime.Sec) + float64(usage.Utime.Usec+usage.Stime.Usec)*1e-6
}

func processorTime(work func()) func(float64) float64 {
	return func(seconds float64) float64 {
		start, operations, batch := now(), 0, 1
		for {
			for i := 0; i < batch; i++ {
				work()
			}
			operations += batch
			used := now() - start
			if used >= seconds {
				return used * 1e9 / float64(operations)
			}
			if used < seconds/20 {
				batch *= 2
			}
		}
	}
}

// from the rate of all callers
func wallTime(callers int, call func()) func(float64) float64 {
	return func(seconds float64) float64 {
		start, counts, wait := time.Now(), make([]int, callers), sync.WaitGroup{}
		for i := range counts {
			wait.Add(1)
			go func(count *int) {
				for ; time.Since(start).Seconds() < seconds; *count++ {
					call()
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
}

var names = []string{"Crimson", "Red", "Ruby", "Maroon"}

// Written to a buffer that is used again where the library can. Read into a new message.
func formats(format, verb string) []way {
	var buffer []byte
	var err error
	of := func(library, version string, write, read func()) way {
		write()
		check(err)
		if verb == "write" {
			read = write
		}
		return way{library, version, processorTime(func() { read(); check(err) })}
	}
	switch format {
	case "protobuf":
		group := &colors.ColorGroup{Id: 1, Name: "Reds", Colors: names}
		own := &gogo.ColorGroup{Id: 1, Name: "Reds", Colors: names}
		fast := make([]byte, own.Size())
		return []way{
			of("Go", protobufVersion, func() { buffer, err = proto.MarshalOptions{}.MarshalAppend(buffer[:0], group) },
				func() { err = proto.Unmarshal(buffer, &colors.ColorGroup{}) }),
			of("gogo", gogoVersion, func() { _, err = own.MarshalToSizedBuffer(fast[:own.Size()]) },
				func() { err = new(gogo.ColorGroup).Unmarshal(fast) }),
		}
	case "MessagePack":
		group := &packed.ColorGroup{ID: 1, Name: "Reds", Colors: names}
		return []way{of("msgp", msgpVersion, func() { buffer, err = group.MarshalMsg(buffer[:0]) },
			func() { _, err = new(packed.ColorGroup).UnmarshalMsg(buffer) })}
	}
	group := &packed.ColorGroup{ID: 1, Name: "Reds", Colors: names}
	return []way{of("encoding/json", runtime.Version(), func() { buffer, err = json.Marshal(group) },
		func() { err = json.Unmarshal(buffer, new(packed.ColorGroup)) })}
}

// as the benchmark of grpc-go: its codec makes the bytes of the message, and five bytes before them
func encode(size int) []way {
	message, codec := &echo.Echo{Body: body(size)}, encoding.GetCodec(grpcproto.Name)
	return []way{{"grpc-go", grpc.Version, processorTime(func() {
		bytes, err := codec.Marshal(message)
		check(err)
		prefix := make([]byte, 5)
		prefix[1], prefix[2], prefix[3], prefix[4] = byte(len(bytes)>>24), byte(len(bytes)>>16), byte(len(bytes)>>8), byte(len(bytes))
		encoded, head = bytes, prefix
	})}}
}

var encoded, head []byte // so that they are made

func body(size int) []byte {
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = byte(i*31 + 7)
	}
	return bytes
}

func ways(set, verb string) []way {
	parts := strings.Split(set, "/")
	switch parts[0] {
	case "Formats":
		return formats(parts[1], verb)
	case "Encode":
		return encode(bytesOf(strings.TrimSuffix(strings.Replace(parts[1], "i", "", 1), "B")))
	}
	callers, err := strconv.Atoi(verb)
	check(err)
	name, call := start(parts[1], body(bytesOf(parts[2])), callers)
	version := runtime.Version()
	if name == "grpc-go" {
		version = grpc.Version
	}
	return []way{{name, version, wallTime(callers, call)}}
}

// 1, 64K, 1M
func bytesOf(text string) int {
	shift := map[byte]int{'K': 10, 'M': 20}[text[len(text)-1]]
	number, err := strconv.Atoi(strings.TrimRight(text, "KM"))
	check(err)
	return number << shift
}

func main() {
	last, all := "", []way{}
	for requests := bufio.NewScanner(os.Stdin); requests.Scan(); {
		var set, verb string
		var seconds, warmUp float64
		_, err := fmt.Sscan(requests.Text(), &set, &verb, &seconds, &warmUp)
		check(err)
		if last != set+verb {
			last, all = set+verb, ways(set, verb)
			for _, one := range all {
				one.nanoseconds(warmUp)
			}
		}
		for _, one := range all {
			fmt.Printf(`{"library":%q,"version":%q,"way":"call","set":%q,"verb":%q,"bytes":0,"ns":%f}`+"\n",
				one.library, one.version, set, verb, one.nanoseconds(seconds))
		}
		fmt.Println()
	}
}
