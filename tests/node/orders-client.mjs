// grpc-js, with the messages of protobufjs, as a client of the service in tests/Codec.Grpc.Tests/ForeignPeerTests.cs. Argument: the address.
// Prints a line for each case, and ends with 1 when one has failed.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const definition = loader.loadSync(fileURLToPath(new URL('../../samples/Orders/protos/orders.proto', import.meta.url)), { keepCase: true, defaults: true });
const { orders } = grpc.loadPackageDefinition(definition);
const client = new orders.OrderDesk(process.argv[2], grpc.credentials.createInsecure());
const order = (customer, article, count) => ({ customer, article, count });
const { status } = grpc;

const unary = (request, metadata = new grpc.Metadata(), options = {}) => new Promise(resolve => {
  const seen = {};
  const call = client.Place(request, metadata, options, (error, reply) => Object.assign(seen, { error, reply }));
  call.on('metadata', headers => { seen.headers = headers; });
  call.on('status', end => { seen.status = end; setImmediate(() => resolve(seen)); });
});

const upload = (...requests) => new Promise(resolve => {
  const call = client.Upload((error, reply) => resolve({ error, reply }));
  call.on('error', () => {});
  requests.forEach(request => call.write(request));
  call.end();
});

const replies = call => {
  const seen = { replies: [], end: null };
  seen.end = new Promise(resolve => call.on('status', resolve));
  call.on('data', reply => seen.replies.push(reply));
  call.on('error', () => {});
  return seen;
};

const refused = ({ code, details, metadata }) => {
  assert.deepEqual([code, details], [status.FAILED_PRECONDITION, 'sold out']);
  assert.deepEqual(metadata.get('reason'), ['sold out']);
};

const cases = {
  async 'unary'() {
    assert.deepEqual((await unary(order('Ada', 'tea', 3))).reply, { text: 'Ada: 3 tea', count: 3 });
  },
  async 'unary, an empty message'() { assert.deepEqual((await unary({})).reply, { text: ': 0 ', count: 0 }); },
  async 'unary, long texts and the largest number'() {
    const customer = 'Zürich 東京 🐝 '.repeat(10_000);
    assert.deepEqual((await unary(order(customer, 'tea', 4294967295))).reply, { text: `${customer}: 4294967295 tea`, count: 4294967295 });
  },
  async 'client streaming'() {
    assert.deepEqual((await upload(...[1, 2, 3, 4].map(count => order('Bob', 'tea', count)))).reply, { text: 'Bob', count: 10 });
  },
  async 'client streaming, no message'() { assert.deepEqual((await upload()).reply, { text: '', count: 0 }); },
  async 'server streaming'() {
    const seen = replies(client.Watch(order('Ada', 'tea', 100)));
    assert.equal((await seen.end).code, status.OK);
    assert.deepEqual(seen.replies, Array.from({ length: 100 }, (_, i) => ({ text: `Ada: ${i + 1}`, count: i + 1 })));
  },
  async 'duplex'() {
    const call = client.Chat();
    const seen = replies(call);
    for (let i = 1; i <= 100; i++) call.write(order('Eve', 'tea', i));
    call.end();
    assert.equal((await seen.end).code, status.OK);
    assert.deepEqual(seen.replies, Array.from({ length: 100 }, (_, i) => ({ text: `Eve: ${i + 1}`, count: i + 1 })));
  },
  async 'metadata'() {
    const metadata = new grpc.Metadata();
    metadata.add('x-text', 'a b');
    metadata.add('x-some-bin', Buffer.from([0, 255, 1]));
    const seen = await unary(order('Ada', 'tea', 1), metadata);
    for (const got of [seen.headers, seen.status.metadata]) {
      assert.deepEqual(got.get('x-text'), ['a b']);
      assert.deepEqual(got.get('x-some-bin'), [Buffer.from([0, 255, 1])]);
    }
  },
  async 'deadline, unary'() {
    assert.equal((await unary(order('Ada', 'hangs', 1), undefined, { deadline: Date.now() + 1000 })).status.code, status.DEADLINE_EXCEEDED);
  },
  async 'deadline, duplex'() {
    const deadline = Date.now() + 1000;
    const call = client.Chat({ deadline });
    const seen = replies(call);
    call.write(order('Ada', 'hangs', 1));
    const { code } = await seen.end;
    // The server has the same deadline, and resets the stream. If this process is late, the reset comes before its own timer.
    if (code !== status.CANCELLED || Date.now() < deadline) assert.equal(code, status.DEADLINE_EXCEEDED);
  },
  async 'an error, unary'() { refused((await unary(order('Ada', 'refuses', 1))).error); },
  async 'an error, client streaming'() { refused((await upload(order('Ada', 'tea', 1), order('Ada', 'refuses', 1))).error); },
  async 'an error, server streaming'() { refused(await replies(client.Watch(order('Ada', 'refuses', 1))).end); },
  async 'an error, duplex'() {
    const call = client.Chat();
    const seen = replies(call);
    call.write(order('Ada', 'tea', 1));
    call.write(order('Ada', 'refuses', 1));
    refused(await seen.end);
    assert.deepEqual(seen.replies, [{ text: 'Ada: 1', count: 1 }]);
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
