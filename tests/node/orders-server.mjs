// The service of samples/Orders on grpc-js, with the messages of protobufjs, as tests/Codec.Grpc.Tests/OrdersHost.cs answers it. Prints its port.
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const definition = loader.loadSync(fileURLToPath(new URL('../../samples/Orders/protos/orders.proto', import.meta.url)), { keepCase: true, defaults: true });
const { orders } = grpc.loadPackageDefinition(definition);
const text = (order, count) => ({ text: `${order.customer}: ${count}`, count });

// what the article asks for, beside an answer: nothing, a refusal, or no answer at all
const refusal = article => {
  if (article !== 'refuses') return null;
  const metadata = new grpc.Metadata();
  metadata.add('reason', 'sold out');
  return { code: grpc.status.FAILED_PRECONDITION, details: 'sold out', metadata };
};

const server = new grpc.Server();
server.addService(orders.OrderDesk.service, {
  Place(call, answer) {
    const { customer, article, count } = call.request;
    const metadata = new grpc.Metadata();
    for (const name of Object.keys(call.metadata.getMap()).filter(name => name.startsWith('x-'))) {
      for (const value of call.metadata.get(name)) metadata.add(name, value);
    }
    call.sendMetadata(metadata);
    if (article === 'hangs') return;
    const error = refusal(article);
    if (error) answer(error);
    else answer(null, { text: `${customer}: ${count} ${article}`, count }, metadata);
  },
  Watch(call) {
    for (let i = 1; i <= call.request.count; i++) call.write(text(call.request, i));
    const error = refusal(call.request.article);
    if (error) call.emit('error', error);
    else if (call.request.article !== 'hangs') call.end();
  },
  Upload(call, answer) {
    let customer = '', count = 0;
    call.on('data', order => {
      const error = refusal(order.article);
      if (error) answer(error);
      customer = order.customer;
      count += order.count;
    });
    call.on('end', () => answer(null, { text: customer, count }));
    call.on('error', () => {});
  },
  Chat(call) {
    call.on('data', order => {
      const error = refusal(order.article);
      if (error) call.emit('error', error);
      else if (order.article !== 'hangs') call.write(text(order, order.count));
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
  },
});
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
