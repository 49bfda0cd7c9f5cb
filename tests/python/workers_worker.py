"""A worker in grpcio for drivers of another language, written from the protocol: unary calls in the closed loop. Argument: the descriptors.
Prints its port."""
import sys
import threading
import time
from concurrent import futures

import grpc

from workers import (BENCHMARK, WORKER, ClientArgs, ClientStatus, CoreRequest, CoreResponse, Histogram, ServerArgs, ServerStatus,
                     SimpleRequest, SimpleResponse, Void)

quitting = threading.Event()


class Window:
    def __init__(self):
        self.began, self.times = time.monotonic(), time.process_time()

    def fill(self, stats):
        stats.time_elapsed = time.monotonic() - self.began
        stats.time_user = time.process_time() - self.times


def run_server(requests, _):
    setup = next(requests).setup
    server = grpc.server(futures.ThreadPoolExecutor(8))

    def answer(request, _):
        return SimpleResponse(payload={"body": bytes(request.response_size)})

    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(BENCHMARK, {
        "UnaryCall": grpc.unary_unary_rpc_method_handler(answer, SimpleRequest.FromString, SimpleResponse.SerializeToString)}),))
    port = server.add_insecure_port(f"127.0.0.1:{setup.port}")
    server.start()
    window = Window()
    yield ServerStatus(stats={}, port=port, cores=1)
    for request in requests:
        status = ServerStatus(port=port, cores=1)
        window.fill(status.stats)
        if request.mark.reset:
            window = Window()
        yield status
    server.stop(1).wait()


class Caller:
    def __init__(self, setup):
        self.lock, self.stop = threading.Lock(), threading.Event()
        self.request = SimpleRequest(response_size=setup.payload_config.simple_params.resp_size,
                                     payload={"body": bytes(setup.payload_config.simple_params.req_size)})
        self.params, self.channels = setup.histogram_params, []
        self.reset()
        self.threads = []
        for i in range(setup.client_channels):
            target = setup.server_targets[i % len(setup.server_targets)]
            channel = grpc.insecure_channel(target, (("grpc.enable_http_proxy", 0), ("channel", i)))
            self.channels.append(channel)
            call = channel.unary_unary(f"/{BENCHMARK}/UnaryCall", request_serializer=SimpleRequest.SerializeToString,
                                       response_deserializer=SimpleResponse.FromString)
            for _ in range(setup.outstanding_rpcs_per_channel):
                self.threads.append(threading.Thread(target=self.run, args=(call,)))
        for thread in self.threads:
            thread.start()

    def reset(self):
        self.histogram, self.window = Histogram(self.params.resolution, self.params.max_possible), Window()

    def run(self, call):
        while not self.stop.is_set():
            began = time.monotonic()
            call(self.request)
            with self.lock:
                self.histogram.add((time.monotonic() - began) * 1e9)

    def status(self, reset):
        status = ClientStatus()
        with self.lock:
            self.histogram.fill(status.stats.latencies)
            self.window.fill(status.stats)
            status.stats.request_results.add(status_code=0, count=len(self.histogram.values))
            if reset:
                self.reset()
        return status

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        for channel in self.channels:
            channel.close()


def run_client(requests, _):
    caller = Caller(next(requests).setup)
    yield caller.status(False)
    for request in requests:
        yield caller.status(request.mark.reset)
    caller.end()


def quit_worker(request, _):
    quitting.set()
    return Void()


worker = grpc.server(futures.ThreadPoolExecutor(8))
worker.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(WORKER, {
    "RunServer": grpc.stream_stream_rpc_method_handler(run_server, ServerArgs.FromString, ServerStatus.SerializeToString),
    "RunClient": grpc.stream_stream_rpc_method_handler(run_client, ClientArgs.FromString, ClientStatus.SerializeToString),
    "CoreCount": grpc.unary_unary_rpc_method_handler(lambda *_: CoreResponse(cores=1), CoreRequest.FromString,
                                                     CoreResponse.SerializeToString),
    "QuitWorker": grpc.unary_unary_rpc_method_handler(quit_worker, Void.FromString, Void.SerializeToString)}),))
print(worker.add_insecure_port("127.0.0.1:0"))
worker.start()
quitting.wait()
worker.stop(5).wait()
