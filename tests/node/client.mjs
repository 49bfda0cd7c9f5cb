// grpc-js as a client of tests/Rpc.Tests/Peers/EchoService.cs. Arguments: the address, and the host's certificate in PEM or none for h2c.
// Prints a line for each case, and ends with 1 when one has failed.
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';

const [address, certificate] = process.argv.slice(2);
const client = new grpc.Client(address, certificate ? grpc.credentials.createSsl(Buffer.from(certificate)) : grpc.credentials.createInsecure(),
  { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
const path = name => `/test.Echo/${name}`;
const same = bytes => bytes;
const { status } = grpc;

const unary = (name, request, metadata = new grpc.Metadata(), options = {}) => new Promise(resolve => {
  const seen = {};
  const call = client.makeUnaryRequest(path(name), same, same, Buffer.from(request), metadata, options, (error, reply) => Object.assign(seen, { error, reply }));
  call.on('metadata', headers => { seen.headers = headers; });
  call.on('status', end => { seen.status = end; setImmediate(() => resolve(seen)); });
  if (options.started) options.started(call);
});

const duplex = (name, options = {}) => {
  const call = client.makeBidiStreamRequest(path(name), same, same, new grpc.Metadata(), options);
  const replies = [];
  const end = new Promise(resolve => call.on('status', resolve));
  call.on('data', bytes => replies.push(bytes));
  call.on('error', () => {});
  return { call, replies, end };
};

const cases = {
  async 'unary, empty'() { assert.equal((await unary('Echo', '')).reply.length, 0); },
  async 'unary, 4 MiB'() {
    const bytes = Buffer.alloc(4 * 1024 * 1024, 7);
    assert.ok((await unary('Echo', bytes)).reply.equals(bytes));
  },
  async 'more than 4 MiB is RESOURCE_EXHAUSTED'() { assert.equal((await unary('Echo', Buffer.alloc(4 * 1024 * 1024 + 1))).status.code, status.RESOURCE_EXHAUSTED); },
  async 'metadata, text and bytes, in headers and trailers'() {
    const metadata = new grpc.Metadata();
    metadata.add('x-text', 'a b');
    metadata.add('x-some-bin', Buffer.from([0, 255, 1]));
    const seen = await unary('Echo', 'm', metadata);
    for (const got of [seen.headers, seen.status.metadata]) {
      assert.deepEqual(got.get('x-text'), ['a b']);
      assert.deepEqual(got.get('x-some-bin'), [Buffer.from([0, 255, 1])]);
    }
  },
  async 'each status, with its text and metadata'() {
    for (let code = 1; code <= 16; code++) {
      const seen = await unary('Fail', `${code}:100 % Zürich 東京`);
      assert.deepEqual([seen.status.code, seen.status.details], [code, '100 % Zürich 東京']);
      assert.deepEqual(seen.status.metadata.get('x-reason'), ['asked to']);
    }
  },
  async 'an exception is UNKNOWN and tells nothing'() {
    const seen = await unary('Throw', '');
    assert.equal(seen.status.code, status.UNKNOWN);
    assert.ok(!seen.status.details.includes('secret'));
  },
  async 'an unknown method is UNIMPLEMENTED'() { assert.equal((await unary('Nothing', '')).status.code, status.UNIMPLEMENTED); },
  async 'deadline'() { assert.equal((await unary('Wait', '', undefined, { deadline: Date.now() + 100 })).status.code, status.DEADLINE_EXCEEDED); },
  async 'cancel'() { assert.equal((await unary('Wait', '', undefined, { started: call => setTimeout(() => call.cancel(), 50) })).status.code, status.CANCELLED); },
  async '300 at once'() {
    const replies = await Promise.all(Array.from({ length: 300 }, (_, i) => unary('Echo', `${i}`)));
    replies.forEach((seen, i) => assert.equal(seen.reply.toString(), `${i}`));
  },
  async 'duplex, 1000 messages'() {
    const { call, replies, end } = duplex('Duplex');
    for (let i = 0; i < 1000; i++) call.write(Buffer.from(`${i}`));
    call.end();
    assert.equal((await end).code, status.OK);
    assert.deepEqual(replies.map(String), Array.from({ length: 1000 }, (_, i) => `${i}`));
  },
  async 'duplex without messages'() {
    const { call, end } = duplex('Duplex');
    call.end();
    assert.equal((await end).code, status.OK);
  },
  async 'duplex, a message and then a failure'() {
    const { call, replies, end } = duplex('FailAfter');
    call.write(Buffer.from('first'));
    const { code, details } = await end;
    assert.deepEqual([code, details, replies.map(String)], [status.ABORTED, 'after one message', ['first']]);
  },
  async 'duplex, cancelled'() {
    const { call, end } = duplex('Duplex');
    call.write(Buffer.from('one'));
    setTimeout(() => call.cancel(), 50);
    assert.equal((await end).code, status.CANCELLED);
  },
  async 'client streaming'() {
    const reply = await new Promise((resolve, reject) => {
      const call = client.makeClientStreamRequest(path('Collect'), same, same, (error, value) => error ? reject(error) : resolve(value));
      for (let i = 0; i < 100; i++) call.write(Buffer.alloc(10));
      call.end();
    });
    assert.equal(reply.toString(), '100 1000');
  },
  async 'server streaming'() {
    const call = client.makeServerStreamRequest(path('Expand'), same, same, Buffer.from('100 10'));
    let count = 0;
    for await (const bytes of call) { assert.equal(bytes.length, 10); count++; }
    assert.equal(count, 100);
  },
  async 'gzip is UNIMPLEMENTED'() {
    const gzip = new grpc.Client(address, certificate ? grpc.credentials.createSsl(Buffer.from(certificate)) : grpc.credentials.createInsecure(), { 'grpc.default_compression_algorithm': 2 });
    const code = await new Promise(resolve => gzip.makeUnaryRequest(path('Echo'), same, same, Buffer.alloc(1000), new grpc.Metadata(), {}, error => resolve(error?.code)));
    gzip.close();
    assert.equal(code, status.UNIMPLEMENTED);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
client.close();
process.exit(failed ? 1 : 0);
