// Reads, writes and makes messages with google.golang.org/protobuf and gogo/protobuf. The form of the requests and answers is that of all
// programs: peers/dotnet/Peer.cs has it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	gogohive "gogo/hive"
	gogosets "gogo/sets"
	"os"
	"path/filepath"
	"pb/hive"
	"pb/sets"
	"strings"
	"syscall"

	"google.golang.org/protobuf/proto"
)

// the build sets them
var version, gogoVersion string

type way struct {
	library, version, name, why string
	work                        func()
}

type line struct {
	Library string  `json:"library"`
	Version string  `json:"version"`
	Way     string  `json:"way"`
	Set     string  `json:"set"`
	Verb    string  `json:"verb"`
	Bytes   int     `json:"bytes"`
	Ns      float64 `json:"ns,omitempty"`
	Why     string  `json:"why,omitempty"`
}

type fast interface {
	Size() int
	Unmarshal([]byte) error
	MarshalToSizedBuffer([]byte) (int, error)
}

var golang = map[string]proto.Message{
	"Hive": &hive.ForwardRequest{}, "Log": &sets.AccessLog{}, "Mesh": &sets.Mesh{}, "PackedMesh": &sets.PackedMesh{},
	"SaveData": &sets.SaveData{}, "Updates": &sets.GameUpdates{}, "Telemetry": &sets.Telemetry{}, "Embeddings": &sets.Embeddings{},
	"Tile": &sets.MapTile{}, "Feed": &sets.TransitFeed{}, "Order": &sets.OrderEvent{},
	"Search": &sets.SearchAnswer{},
}

// makers of messages: the values are those of another message, which is a struct
var makers = map[string]func(proto.Message) proto.Message{
	"Hive": func(values proto.Message) proto.Message {
		from := values.(*hive.ForwardRequest)
		made := &hive.ForwardRequest{TraceId: from.TraceId, RequestContextInfo: from.RequestContextInfo,
			ItemRequests: make([]*hive.ForwardPerItemRequest, len(from.ItemRequests))}
		for i, item := range from.ItemRequests {
			made.ItemRequests[i] = &hive.ForwardPerItemRequest{ItemId: item.ItemId, ItemContext: item.ItemContext}
		}
		return made
	},
	"Order": func(values proto.Message) proto.Message {
		from := values.(*sets.OrderEvent)
		return &sets.OrderEvent{OrderId: from.OrderId, State: from.State,
			Placed:     &sets.OrderTime{Seconds: from.Placed.Seconds, Nanos: from.Placed.Nanos},
			CustomerId: from.CustomerId, CustomerName: from.CustomerName,
			Total: &sets.OrderMoney{Currency: from.Total.Currency, Units: from.Total.Units, Nanos: from.Total.Nanos},
			Address: &sets.OrderAddress{Street: from.Address.Street, City: from.Address.City, PostalCode: from.Address.PostalCode,
				Country: from.Address.Country},
			Items: from.Items, Gift: from.Gift, Note: from.Note}
	},
	"Search": func(values proto.Message) proto.Message {
		from := values.(*sets.SearchAnswer)
		made := &sets.SearchAnswer{QueryId: from.QueryId, Total: from.Total, Page: from.Page, Hits: make([]*sets.SearchHit, len(from.Hits)),
			Facets: from.Facets, Milliseconds: from.Milliseconds}
		for i, hit := range from.Hits {
			added := &sets.SearchHit{Id: hit.Id, Title: hit.Title, Snippet: hit.Snippet, Score: hit.Score, Tags: hit.Tags,
				Attributes: hit.Attributes, ThumbnailHash: hit.ThumbnailHash, InStock: hit.InStock}
			switch price := hit.Price.(type) {
			case *sets.SearchHit_Cents:
				added.Price = &sets.SearchHit_Cents{Cents: price.Cents}
			case *sets.SearchHit_OnRequest:
				added.Price = &sets.SearchHit_OnRequest{OnRequest: price.OnRequest}
			}
			made.Hits[i] = added
		}
		if from.NextPage != nil {
			made.NextPage = proto.String(*from.NextPage)
		}
		return made
	},
}

var gogofaster = map[string]func() fast{
	"Hive":       func() fast { return &gogohive.ForwardRequest{} },
	"Log":        func() fast { return &gogosets.AccessLog{} },
	"Mesh":       func() fast { return &gogosets.Mesh{} },
	"PackedMesh": func() fast { return &gogosets.PackedMesh{} },
	"Telemetry":  func() fast { return &gogosets.Telemetry{} },
	"Embeddings": func() fast { return &gogosets.Embeddings{} },
	"Order":      func() fast { return &gogosets.OrderEvent{} },
}

var gogoMakers = map[string]func(fast) fast{
	"Hive": func(values fast) fast {
		from := values.(*gogohive.ForwardRequest)
		made := &gogohive.ForwardRequest{TraceId: from.TraceId, RequestContextInfo: from.RequestContextInfo,
			ItemRequests: make([]*gogohive.ForwardPerItemRequest, len(from.ItemRequests))}
		for i, item := range from.ItemRequests {
			made.ItemRequests[i] = &gogohive.ForwardPerItemRequest{ItemId: item.ItemId, ItemContext: item.ItemContext}
		}
		return made
	},
	"Order": func(values fast) fast {
		from := values.(*gogosets.OrderEvent)
		return &gogosets.OrderEvent{OrderId: from.OrderId, State: from.State,
			Placed:     &gogosets.OrderTime{Seconds: from.Placed.Seconds, Nanos: from.Placed.Nanos},
			CustomerId: from.CustomerId, CustomerName: from.CustomerName,
			Total: &gogosets.OrderMoney{Currency: from.Total.Currency, Units: from.Total.Units, Nanos: from.Total.Nanos},
			Address: &gogosets.OrderAddress{Street: from.Address.Street, City: from.Address.City, PostalCode: from.Address.PostalCode,
				Country: from.Address.Country},
			Items: from.Items, Gift: from.Gift, Note: from.Note}
	},
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

func nanoseconds(work func(), seconds float64) float64 {
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

func different(set string, written, wire []byte) string {
	if bytes.Equal(written, wire) {
		return ""
	}
	// a map has no order in Go, so a set with maps is compared after it is read
	if set == "Search" && len(written) == len(wire) {
		one, other := golang[set].ProtoReflect().New().Interface(), golang[set].ProtoReflect().New().Interface()
		check(proto.Unmarshal(wire, other))
		if proto.Unmarshal(written, one) == nil && proto.Equal(one, other) {
			return ""
		}
	}
	return "writes other bytes"
}

func ways(set, verb string, wire []byte) []way {
	known := golang[set].ProtoReflect().Type()
	message := known.New().Interface()
	check(proto.Unmarshal(wire, message))
	output := make([]byte, 0, 2*len(wire))
	write := func() { output, _ = proto.MarshalOptions{}.MarshalAppend(output[:0], message) }
	if verb == "make" {
		maker := makers[set]
		write = func() { output, _ = proto.MarshalOptions{}.MarshalAppend(output[:0], maker(message)) }
	}
	write()
	// Reset drops the memory of a message, so a used one is not faster
	read := func() { check(proto.Unmarshal(wire, known.New().Interface())) }
	all := []way{{"Go", version, "fresh", different(set, output, wire), read}}
	if verb != "read" {
		all[0].name, all[0].work = "append", write
	}
	create := gogofaster[set]
	if create == nil {
		return append(all, way{"gogo", gogoVersion, "", "its generator refuses optional fields of proto3", nil})
	}
	own := create()
	check(own.Unmarshal(wire))
	buffer := make([]byte, len(wire))
	writeOwn := func() {
		message := own
		if verb == "make" {
			message = gogoMakers[set](own)
		}
		_, err := message.MarshalToSizedBuffer(buffer[:message.Size()])
		check(err)
	}
	writeOwn()
	readOwn := func() { check(create().Unmarshal(wire)) }
	other := way{"gogo", gogoVersion, "fresh", different(set, buffer, wire), readOwn}
	if verb != "read" {
		other.name, other.work = "sized", writeOwn
	}
	return append(all, other)
}

func main() {
	requests := bufio.NewScanner(os.Stdin)
	last, size, all := "", 0, []way{}
	for requests.Scan() {
		var set, verb string
		var seconds, warmUp float64
		_, err := fmt.Sscan(requests.Text(), &set, &verb, &seconds, &warmUp)
		check(err)
		if last != set+verb {
			wire, err := os.ReadFile(filepath.Join(os.Args[1], set+".bin"))
			check(err)
			last, size, all = set+verb, len(wire), ways(set, verb, wire)
			for _, one := range all {
				if one.work != nil {
					nanoseconds(one.work, warmUp)
				}
			}
		}
		answer := strings.Builder{}
		for _, one := range all {
			answered := line{one.library, one.version, one.name, set, verb, size, 0, one.why}
			if one.work != nil {
				answered.Ns = nanoseconds(one.work, seconds)
			}
			text, err := json.Marshal(answered)
			check(err)
			answer.Write(append(text, '\n'))
		}
		fmt.Println(answer.String())
	}
}
