// grpc-js as a client of tests/Rpc.Tests/Peers/EchoService.cs. Arguments: the address, and the host's certificate in PEM or none for h2c.
// Prints a line for each case, and ends with 1 when one has failed.
import assert from 'node:assert/strict';
import http2 from 'node:http2';
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

// how many handlers of Wait have begun
const waiting = async () => {
  const { reply, error } = await unary('Waiting', '');
  assert.ifError(error); // without a number, nothing would be waited for
  return Number(reply);
};

const duplex = (name, options = {}) => {
  const call = client.makeBidiStreamRequest(path(name), same, same, new grpc.Metadata(), options);
  const replies = [];
  const end = new Promise(resolve => call.on('status', resolve));
  call.on('data', bytes => replies.push(bytes));
  call.on('error', () => {});
  return { call, replies, end };
};

// a request that grpc-js would not send: its headers as they are given, and its body as bytes
const raw = (headers, body) => new Promise((resolve, reject) => {
  const session = http2.connect(`${certificate ? 'https' : 'http'}://${address}`, certificate ? { ca: certificate } : {});
  session.on('error', reject);
  const stream = session.request({ ':method': 'POST', ':path': path('Echo'), 'content-type': 'application/grpc', te: 'trailers', ...headers });
  let seen;
  stream.on('response', head => { seen = { ...head }; });
  stream.on('trailers', tail => Object.assign(seen, tail));
  stream.on('error', reject);
  stream.on('close', () => { session.close(); resolve({ ...seen, http: seen[':status'], grpc: Number(seen['grpc-status']) }); });
  stream.resume();
  stream.end(Buffer.from(body));
});

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
  // the handlers have to see the end: they have begun before it, however slow the machine is
  async 'deadline'() {
    const before = await waiting();
    for (let ms = 250; await waiting() === before; ms *= 2) {
      assert.equal((await unary('Wait', '', undefined, { deadline: Date.now() + ms })).status.code, status.DEADLINE_EXCEEDED);
    }
  },
  async 'cancel'() {
    const before = await waiting();
    const cancelWhenItWaits = async call => {
      while (await waiting() === before);
      call.cancel();
    };
    assert.equal((await unary('Wait', '', undefined, { started: cancelWhenItWaits })).status.code, status.CANCELLED);
  },
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
  async 'gzip is understood'() {
    const gzip = new grpc.Client(address, certificate ? grpc.credentials.createSsl(Buffer.from(certificate)) : grpc.credentials.createInsecure(), { 'grpc.default_compression_algorithm': 2 });
    const reply = await new Promise((resolve, reject) => gzip.makeUnaryRequest(path('Echo'), same, same, Buffer.alloc(1000), new grpc.Metadata(), {}, (error, bytes) => error ? reject(error) : resolve(bytes)));
    gzip.close();
    assert.ok(reply.equals(Buffer.alloc(1000)));
  },
  async 'an unsupported encoding is told which are supported'() {
    const seen = await raw({ 'grpc-encoding': 'br' }, [1, 0, 0, 0, 1, 7]);
    assert.deepEqual([seen.grpc, seen['grpc-accept-encoding']], [status.UNIMPLEMENTED, 'identity,gzip,deflate']);
  },
  async 'a compressed flag without an encoding is INTERNAL'() { assert.equal((await raw({}, [1, 0, 0, 0, 1, 7])).grpc, status.INTERNAL); },
  async 'a compressed flag with identity is INTERNAL'() { assert.equal((await raw({ 'grpc-encoding': 'identity' }, [1, 0, 0, 0, 1, 7])).grpc, status.INTERNAL); },
  async 'a malformed frame is INTERNAL'() {
    for (const body of [[0, 0, 0], [0, 0, 0, 0, 9, 1]]) assert.equal((await raw({}, body)).grpc, status.INTERNAL);
  },
  async 'a flag that cannot be is UNKNOWN, and a length RESOURCE_EXHAUSTED or, from grpc-dotnet itself, UNKNOWN'() {
    assert.equal((await raw({}, [7, 0, 0, 0, 1, 1])).grpc, status.UNKNOWN);
    assert.ok([status.RESOURCE_EXHAUSTED, status.UNKNOWN].includes((await raw({}, [0, 255, 255, 255, 255, 1])).grpc));
  },
  async 'another method is HTTP 405'() { assert.equal((await raw({ ':method': 'post' }, [0, 0, 0, 0, 0])).http, 405); },
  async 'another content-type is HTTP 415'() { assert.equal((await raw({ 'content-type': 'application/json' }, [])).http, 415); },
  async 'duplex, 4 MiB'() {
    const bytes = Buffer.alloc(4 * 1024 * 1024, 9);
    const { call, replies, end } = duplex('Duplex');
    call.write(bytes);
    call.end();
    assert.equal((await end).code, status.OK);
    assert.ok(replies.length === 1 && replies[0].equals(bytes));
  },
  async 'duplex, deadline'() {
    const { end } = duplex('Duplex', { deadline: Date.now() + 100 });
    assert.equal((await end).code, status.DEADLINE_EXCEEDED);
  },
};

let failed = 0;
const run = async name => {
  try {
    await cases[name]();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
};
for (const name of Object.keys(cases)) await run(name);
client.close();
process.exit(failed ? 1 : 0);
