// The service of tests/Rpc.Tests/Peers/EchoService.cs on grpc-js. Arguments: certificate and key in PEM, or none for h2c. Prints its port.
import grpc from '@grpc/grpc-js';

const identity = bytes => bytes;
const method = (name, requestStream, responseStream) => [name, {
  path: `/test.Echo/${name}`, requestStream, responseStream,
  requestSerialize: identity, requestDeserialize: identity, responseSerialize: identity, responseDeserialize: identity,
}];

const service = Object.fromEntries([
  method('Echo', false, false), method('Fail', false, false), method('Throw', false, false), method('Wait', false, false), method('Ignore', false, false),
  method('Duplex', true, true), method('Collect', true, false), method('Expand', false, true), method('FailAfter', true, true),
]);

const server = new grpc.Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
server.addService(service, {
  Echo(call, answer) {
    const metadata = new grpc.Metadata();
    for (const name of Object.keys(call.metadata.getMap()).filter(name => name.startsWith('x-'))) {
      for (const value of call.metadata.get(name)) metadata.add(name, value);
    }
    call.sendMetadata(metadata);
    answer(null, call.request, metadata);
  },
  Fail(call, answer) {
    const [code, ...text] = call.request.toString().split(':');
    const metadata = new grpc.Metadata();
    metadata.add('x-reason', 'asked to');
    answer({ code: Number(code), details: text.join(':'), metadata });
  },
  Throw() { throw new Error('secret'); },
  Wait() {},
  Ignore() {},
  Duplex(call) {
    call.on('data', bytes => call.write(bytes));
    call.on('end', () => call.end());
    call.on('error', () => {});
  },
  Collect(call, answer) {
    let count = 0, total = 0;
    call.on('data', bytes => { count++; total += bytes.length; });
    call.on('end', () => answer(null, Buffer.from(`${count} ${total}`)));
    call.on('error', () => {});
  },
  Expand(call) {
    const [count, size] = call.request.toString().split(' ').map(Number);
    for (let i = 0; i < count; i++) call.write(Buffer.alloc(size));
    call.end();
  },
  FailAfter(call) {
    call.once('data', bytes => {
      call.write(bytes);
      call.emit('error', { code: grpc.status.ABORTED, details: 'after one message' });
    });
    call.on('error', () => {});
  },
});

const [certificate, key] = process.argv.slice(2);
const credentials = certificate
  ? grpc.ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }])
  : grpc.ServerCredentials.createInsecure();
server.bindAsync('127.0.0.1:0', credentials, (error, port) => {
  if (error) throw error;
  console.log(port);
});
