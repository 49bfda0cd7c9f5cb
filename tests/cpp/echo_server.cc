// Echo, Fail, Duplex, Collect and Expand of tests/Rpc.Tests/Peers/EchoService.cs on libgrpc++, with bytes as messages, and server
// reflection (v1alpha). Prints its port.
#include <iostream>
#include <sstream>
#include <string>

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

namespace {

class Reactor final : public grpc::ServerGenericBidiReactor {
 public:
  explicit Reactor(const std::string& method) : name_(method.substr(method.rfind('/') + 1)) { StartRead(&message_); }

  void OnReadDone(bool ok) override {
    if (!ok && name_ == "Collect") return SendLast(std::to_string(count_) + " " + std::to_string(size_));
    if (!ok) return name_ == "Duplex" ? Finish(grpc::Status::OK) : Finish({grpc::StatusCode::INVALID_ARGUMENT, "there is no request"});
    if (name_ == "Fail") return Finish({grpc::StatusCode::FAILED_PRECONDITION, "sold out, 100 %"});
    if (name_ == "Echo") return StartWriteAndFinish(&message_, {}, grpc::Status::OK);
    if (name_ == "Collect") {
      count_++;
      size_ += message_.Length();
      return StartRead(&message_);
    }
    if (name_ == "Expand") {
      grpc::Slice text;
      message_.DumpToSingleSlice(&text);
      std::istringstream(std::string(text.begin(), text.end())) >> count_ >> size_;
      message_ = Bytes(std::string(size_, '\0'));
    }
    StartWrite(&message_);
  }

  void OnWriteDone(bool ok) override {
    if (!ok || (name_ == "Expand" && --count_ == 0)) return Finish(grpc::Status::OK);
    if (name_ == "Expand") return StartWrite(&message_);
    StartRead(&message_);
  }

  void OnDone() override { delete this; }

 private:
  static grpc::ByteBuffer Bytes(const std::string& text) {
    grpc::Slice slice(text);
    return grpc::ByteBuffer(&slice, 1);
  }

  void SendLast(const std::string& text) {
    message_ = Bytes(text);
    StartWriteAndFinish(&message_, {}, grpc::Status::OK);
  }

  const std::string name_;
  grpc::ByteBuffer message_;
  size_t count_ = 0;
  size_t size_ = 0;
};

class Service final : public grpc::CallbackGenericService {
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override {
    return new Reactor(context->method());
  }
};

}  // namespace

int main() {
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  Service service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterCallbackGenericService(&service);
  auto server = builder.BuildAndStart();
  std::cout << port << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
  server->Shutdown();
}
