// Host and client of the hive with the callback API of libgrpc++. "peer host" prints its port. "peer FOLDER" makes calls: the form of its
// requests and answers is that of all programs (peers/dotnet/Peer.cs has it), with a host for the set and a number of callers for the verb.
#include <grpcpp/grpcpp.h>
#include <grpcpp/support/message_allocator.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "test_proxy.grpc.pb.h"

namespace {

using TestProxyPkg::ForwardRequest;
using TestProxyPkg::ForwardResponse;
using TestProxyPkg::TestProxy;
using Clock = std::chrono::steady_clock;

// the answer of HiveAnswer in src/GrpcHost: a float and 32 bytes, from the id of the item
constexpr uint64_t spread = 0x9E3779B97F4A7C15;

uint64_t Key(const std::string& id) {
  uint64_t key = 1;
  for (unsigned char one : id) key = (key << 8 | key >> 56) ^ one;
  return key * spread;
}

// The messages of calls that have ended are used again, as those of the slab codec are.
class Recycled final : public grpc::MessageAllocator<ForwardRequest, ForwardResponse> {
  struct Holder final : grpc::MessageHolder<ForwardRequest, ForwardResponse> {
    explicit Holder(Recycled* all) : all_(all) {
      set_request(&request_);
      set_response(&response_);
    }
    void Release() override {
      std::lock_guard<std::mutex> lock(all_->mutex_);
      all_->free_.push_back(this);
    }
    Recycled* all_;
    ForwardRequest request_;
    ForwardResponse response_;
  };

  grpc::MessageHolder<ForwardRequest, ForwardResponse>* AllocateMessages() override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return new Holder(this);
    Holder* last = free_.back();
    free_.pop_back();
    return last;
  }

  std::mutex mutex_;
  std::vector<Holder*> free_;
};

class Service final : public TestProxy::CallbackService {
  grpc::ServerUnaryReactor* Forward(grpc::CallbackServerContext* context, const ForwardRequest* request, ForwardResponse* reply) override {
    const auto began = Clock::now();
    reply->Clear();
    const long since1970 = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(100);
    reply->set_routestarttimeinticks(621355968000000000 + since1970);  // .NET's ticks
    reply->mutable_itemresponses()->Reserve(request->itemrequests_size());
    for (const auto& item : request->itemrequests()) {
      const uint64_t key = Key(item.itemid()), extra[] = {key, key + spread, key ^ spread, ~key};
      auto* answer = reply->add_itemresponses();
      answer->set_result(static_cast<float>((key >> 40) + 1));
      answer->set_extraresult(extra, sizeof extra);
    }
    reply->set_routelatencyinus((Clock::now() - began) / std::chrono::microseconds(1));
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

class Caller {
 public:
  Caller(TestProxy::Stub& stub, const ForwardRequest& request) : stub_(stub), request_(request) {}

  void Begin(Clock::time_point end) {
    context_ = std::make_unique<grpc::ClientContext>();
    stub_.async()->Forward(context_.get(), &request_, &reply_, [this, end](const grpc::Status& status) {
      if (!status.ok() || !IsRight()) Fail(status);
      calls_++;
      if (Clock::now() < end) return Begin(end);
      std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
      changed_.notify_one();
    });
  }

  long Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
    ended_ = false;
    return std::exchange(calls_, 0);
  }

 private:
  // every length, and all bytes of one item
  bool IsRight() const {
    if (reply_.itemresponses_size() != request_.itemrequests_size()) return false;
    for (const auto& item : reply_.itemresponses())
      if (item.extraresult().size() != 32) return false;
    const int one = calls_ % reply_.itemresponses_size();
    const uint64_t key = Key(request_.itemrequests(one).itemid()), extra[] = {key, key + spread, key ^ spread, ~key};
    return std::memcmp(reply_.itemresponses(one).extraresult().data(), extra, sizeof extra) == 0;
  }

  [[noreturn]] static void Fail(const grpc::Status& status) {
    std::cerr << "a call failed: " << status.error_message() << (status.ok() ? "a wrong reply" : "") << std::endl;
    std::_Exit(1);
  }

  TestProxy::Stub& stub_;
  ForwardRequest request_;
  ForwardResponse reply_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  long calls_ = 0;
};

// nanoseconds for a call, from the rate of all callers
double Nanoseconds(std::vector<std::unique_ptr<Caller>>& callers, double seconds) {
  const auto start = Clock::now();
  for (auto& caller : callers) caller->Begin(start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  long calls = 0;
  for (auto& caller : callers) calls += caller->Wait();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / calls;
}

std::string FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int, char** arguments) {
  const std::string folder = arguments[1];
  std::string line;
  if (folder == "host") {
    Recycled messages;
    Service service;
    service.SetMessageAllocatorFor_Forward(&messages);
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port).RegisterService(&service);
    auto server = builder.BuildAndStart();
    std::cout << port << std::endl;
    while (std::getline(std::cin, line)) {}
    server->Shutdown();
    return 0;
  }
  ForwardRequest request;
  request.ParseFromString(FileText(folder + "/Hive.bin"));
  std::map<std::string, std::unique_ptr<TestProxy::Stub>> hosts;
  std::map<std::string, std::vector<std::unique_ptr<Caller>>> all;
  std::string host;
  int number;
  double seconds, warm_up;
  while (std::cin >> host >> number >> seconds >> warm_up) {
    auto& stub = hosts[host];
    const std::string address = "127.0.0.1:" + FileText(folder + "/" + host + ".port");
    if (!stub) stub = TestProxy::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
    auto& callers = all[host + std::to_string(number)];
    if (callers.empty()) {
      for (int i = 0; i < number; i++) callers.push_back(std::make_unique<Caller>(*stub, request));
      Nanoseconds(callers, warm_up);
    }
    std::cout << R"({"library":"C++","version":")" << grpc::Version() << R"(","way":"call","set":")" << host << R"(","verb":")" << number
              << R"(","bytes":)" << request.ByteSizeLong() << R"(,"ns":)" << std::fixed << Nanoseconds(callers, seconds) << "}\n"
              << std::endl;
  }
}
