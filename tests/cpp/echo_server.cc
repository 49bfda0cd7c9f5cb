// Echo and Fail on libgrpc++, with bytes as messages. Prints its port.
#include <cctype>
#include <iostream>
#include <string>

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

namespace {

class Reactor final : public grpc::ServerGenericBidiReactor {
 public:
  explicit Reactor(const std::string& method) : fails_(method == "/test.Echo/Fail") { StartRead(&message_); }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish({grpc::StatusCode::INVALID_ARGUMENT, "there is no request"});
    if (fails_) return Finish({grpc::StatusCode::FAILED_PRECONDITION, "sold out, 100 %"});
    StartWriteAndFinish(&message_, {}, grpc::Status::OK);
  }

  void OnDone() override { delete this; }

 private:
  const bool fails_;
  grpc::ByteBuffer message_;
};

class Service final : public grpc::CallbackGenericService {
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override {
    return new Reactor(context->method());
  }
};

}  // namespace

int main() {
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
