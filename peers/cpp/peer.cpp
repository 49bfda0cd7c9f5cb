// Reads, writes and makes messages with libprotobuf. The form of the requests and answers is that of all programs: peers/dotnet/Peer.cs has it.
#include <google/protobuf/arena.h>
#include <google/protobuf/stubs/common.h>
#include <google/protobuf/util/message_differencer.h>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>
#include "hive.pb.h"
#include "sets/embeddings.pb.h"
#include "sets/feed.pb.h"
#include "sets/log.pb.h"
#include "sets/mesh.pb.h"
#include "sets/order.pb.h"
#include "sets/savedata.pb.h"
#include "sets/search.pb.h"
#include "sets/telemetry.pb.h"
#include "sets/tile.pb.h"
#include "sets/updates.pb.h"

namespace {

struct Way {
  std::string name;
  std::function<bool()> work;
};

double Now() {  // processor time of the process
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

double Nanoseconds(const Way& way, double seconds) {
  long operations = 0, batch = 1;
  const double start = Now();
  while (true) {
    for (long i = 0; i < batch; i++)
      if (!way.work()) throw std::runtime_error(way.name + " failed");
    operations += batch;
    const double used = Now() - start;
    if (used >= seconds) return used * 1e9 / operations;
    if (used < seconds / 20) batch *= 2;
  }
}

// The first block of an arena is kept when it is reset. Of this size, it is the only one.
struct Arena {
  explicit Arena(const std::string& wire) : block(16 * wire.size() + 65536), arena(Options()) {}

  template <typename T>
  T* New() {
    arena.Reset();
    return google::protobuf::Arena::CreateMessage<T>(&arena);
  }

 private:
  google::protobuf::ArenaOptions Options() {
    google::protobuf::ArenaOptions options;
    options.initial_block = block.data();
    options.initial_block_size = block.size();
    return options;
  }

  std::vector<char> block;
  google::protobuf::Arena arena;
};

template <typename T>
std::vector<Way> Reads(const std::string& wire) {
  auto reused = std::make_shared<T>();
  auto arena = std::make_shared<Arena>(wire);
  const int size = static_cast<int>(wire.size());
  return {
      {"fresh", [&wire, size] { return T().ParseFromArray(wire.data(), size); }},
      {"reused", [&wire, size, reused] { return reused->ParseFromArray(wire.data(), size); }},
      {"arena", [&wire, size, arena] { return arena->New<T>()->ParseFromArray(wire.data(), size); }},
  };
}

template <typename T>
bool Write(const T& message, std::string& output) {
  const size_t size = message.ByteSizeLong();
  message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(output.data()));
  return size == output.size();
}

template <typename T>
std::vector<Way> Writes(const std::string& wire, std::string& output) {
  auto message = std::make_shared<T>();
  if (!message->ParseFromString(wire)) throw std::runtime_error("cannot be read");
  return {{"array", [message, &output] { return Write(*message, output); }}};
}

// The values are those of another message, whose fields are read as those of a struct.
void Fill(const TestProxyPkg::ForwardRequest& values, TestProxyPkg::ForwardRequest* made) {
  made->set_traceid(values.traceid());
  made->mutable_itemrequests()->Reserve(values.itemrequests_size());
  for (const auto& item : values.itemrequests()) {
    auto* added = made->add_itemrequests();
    added->set_itemid(item.itemid());
    added->set_itemcontext(item.itemcontext());
  }
  made->set_requestcontextinfo(values.requestcontextinfo());
}

void Fill(const sets::OrderEvent& values, sets::OrderEvent* made) {
  made->set_order_id(values.order_id());
  made->set_state(values.state());
  made->mutable_placed()->set_seconds(values.placed().seconds());
  made->mutable_placed()->set_nanos(values.placed().nanos());
  made->set_customer_id(values.customer_id());
  made->set_customer_name(values.customer_name());
  auto* total = made->mutable_total();
  total->set_currency(values.total().currency());
  total->set_units(values.total().units());
  total->set_nanos(values.total().nanos());
  auto* address = made->mutable_address();
  address->set_street(values.address().street());
  address->set_city(values.address().city());
  address->set_postal_code(values.address().postal_code());
  address->set_country(values.address().country());
  made->set_items(values.items());
  made->set_gift(values.gift());
  made->set_note(values.note());
}

void Fill(const sets::SearchAnswer& values, sets::SearchAnswer* made) {
  made->set_query_id(values.query_id());
  made->set_total(values.total());
  made->set_page(values.page());
  made->mutable_hits()->Reserve(values.hits_size());
  for (const auto& hit : values.hits()) {
    auto* added = made->add_hits();
    added->set_id(hit.id());
    added->set_title(hit.title());
    added->set_snippet(hit.snippet());
    added->set_score(hit.score());
    added->mutable_tags()->Reserve(hit.tags_size());
    for (const auto& tag : hit.tags()) added->add_tags(tag);
    auto& attributes = *added->mutable_attributes();
    for (const auto& [name, value] : hit.attributes()) attributes[name] = value;
    switch (hit.price_case()) {
      case sets::SearchHit::kCents: added->set_cents(hit.cents()); break;
      case sets::SearchHit::kOnRequest: added->set_on_request(hit.on_request()); break;
      case sets::SearchHit::PRICE_NOT_SET: break;
    }
    added->set_thumbnail_hash(hit.thumbnail_hash());
    added->set_in_stock(hit.in_stock());
  }
  auto& facets = *made->mutable_facets();
  for (const auto& [facet, count] : values.facets()) facets[facet] = count;
  made->set_milliseconds(values.milliseconds());
  if (values.has_next_page()) made->set_next_page(values.next_page());
}

template <typename T>
std::vector<Way> Makes(const std::string& wire, std::string& output) {
  auto values = std::make_shared<T>(), reused = std::make_shared<T>();
  if (!values->ParseFromString(wire)) throw std::runtime_error("cannot be read");
  auto arena = std::make_shared<Arena>(wire);
  return {
      {"fresh", [values, &output] {
         T made;
         Fill(*values, &made);
         return Write(made, output);
       }},
      {"reused", [values, reused, &output] {
         reused->Clear();
         Fill(*values, reused.get());
         return Write(*reused, output);
       }},
      {"arena", [values, arena, &output] {
         T* made = arena->New<T>();
         Fill(*values, made);
         return Write(*made, output);
       }},
  };
}

bool SameBytes(const std::string& written, const std::string& wire) { return written == wire; }

// A map has no order here, so messages with maps are compared after they are read.
template <typename T>
bool SameMessage(const std::string& written, const std::string& wire) {
  T one, other;
  return written.size() == wire.size() && one.ParseFromString(written) && other.ParseFromString(wire) &&
         google::protobuf::util::MessageDifferencer::Equals(one, other);
}

struct Set {
  std::function<std::vector<Way>(const std::string&)> reads;
  std::function<std::vector<Way>(const std::string&, std::string&)> writes, makes;
  std::function<bool(const std::string&, const std::string&)> same = SameBytes;
};

template <typename T>
Set Of() { return {Reads<T>, Writes<T>, {}}; }

template <typename T>
Set OfMade() { return {Reads<T>, Writes<T>, Makes<T>}; }

template <typename T>
Set OfMadeWithMaps() { return {Reads<T>, Writes<T>, Makes<T>, SameMessage<T>}; }

const std::map<std::string, Set> known = {
    {"Hive", OfMade<TestProxyPkg::ForwardRequest>()}, {"Order", OfMade<sets::OrderEvent>()},
    {"Search", OfMadeWithMaps<sets::SearchAnswer>()},
    {"Log", Of<sets::AccessLog>()},               {"Mesh", Of<sets::Mesh>()},
    {"PackedMesh", Of<sets::PackedMesh>()},       {"SaveData", Of<sets::SaveData>()},    {"Updates", Of<sets::GameUpdates>()},
    {"Telemetry", Of<sets::Telemetry>()},         {"Embeddings", Of<sets::Embeddings>()}, {"Tile", Of<sets::MapTile>()},
    {"Feed", Of<sets::TransitFeed>()},
};

std::string FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int, char** arguments) {
  std::string set, verb, last, wire, output;
  double seconds, warm_up;
  std::vector<Way> ways;
  bool same = false;
  while (std::cin >> set >> verb >> seconds >> warm_up) {
    if (last != set + verb) {
      last = set + verb;
      ways.clear();
      wire = FileText(std::string(arguments[1]) + "/" + set + ".bin");
      output.assign(wire.size(), '\0');
      const Set& measured = known.at(set);
      ways = measured.writes(wire, output);
      same = ways[0].work() && measured.same(output, wire);
      if (verb == "read") ways = measured.reads(wire);
      if (verb == "make") {
        ways = measured.makes(wire, output);
        for (const Way& way : ways) {
          output.assign(wire.size(), '\0');
          same = same && way.work() && measured.same(output, wire);
        }
      }
      for (const Way& way : ways) Nanoseconds(way, warm_up);
    }
    for (const Way& way : ways) {
      std::cout << R"({"library":"C++","version":")"
                << google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION) << R"(","way":")" << way.name
                << R"(","set":")" << set << R"(","verb":")" << verb << R"(","bytes":)" << wire.size()
                << R"(,"ns":)" << std::fixed << Nanoseconds(way, seconds)
                << (same ? "" : R"(,"why":"writes other bytes")") << "}\n";
    }
    std::cout << std::endl;
  }
}
