// A server that breaks the gRPC protocol in the way that the path names. Arguments: certificate and key in PEM, or none for h2c. Prints its port.
import http2 from 'node:http2';

const grpc = { ':status': 200, 'content-type': 'application/grpc' };
const message = [0, 0, 0, 0, 1, 7];

// headers, body, and trailers
const reply = (headers, body, trailers) => stream => {
  stream.respond({ ...grpc, ...headers }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers ?? {}));
  stream.end(Buffer.from(body));
};
const ok = { 'grpc-status': '0' };

const answers = {
  'another-content-type': reply({ 'content-type': 'text/html' }, message, ok),
  'http-401': reply({ ':status': 401, 'content-type': 'text/html' }, []),
  'http-404': reply({ ':status': 404, 'content-type': 'text/html' }, []),
  'http-503': reply({ ':status': 503, 'content-type': 'text/html' }, []),
  'compressed-without-encoding': reply({}, [1, 0, 0, 0, 1, 7], ok),
  'compressed-with-br': reply({ 'grpc-encoding': 'br' }, [1, 0, 0, 0, 1, 7], ok),
  'flag-2': reply({}, [2, 0, 0, 0, 1, 7], ok),
  'length-of-4-gib': reply({}, [0, 255, 255, 255, 255, 7], ok),
  'half-a-prefix': reply({}, [0, 0, 0], ok),
  'half-a-message': reply({}, [0, 0, 0, 0, 9, 7], ok),
  'half-a-message-and-why': reply({}, [0, 0, 0, 0, 9, 7], { 'grpc-status': '10', 'grpc-message': 'half' }),
  'no-message': reply({}, [], ok),
  'two-messages': reply({}, [...message, ...message], ok),
  'no-status': reply({}, message),
  'status-in-the-first-headers': reply(ok, message),
  'status-99': reply({}, message, { 'grpc-status': '99' }),
  'status-text': reply({}, message, { 'grpc-status': 'fine' }),
  'reset-8': stream => stream.close(http2.constants.NGHTTP2_CANCEL),
  'reset-11': stream => stream.close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM),
  'reset-2-after-a-message': stream => {
    stream.respond(grpc);
    // close() would end the stream in order first
    stream.write(Buffer.from(message), () => stream.destroy(new Error('broken')));
  },
  'gone-after-a-message': stream => {
    stream.respond(grpc);
    stream.write(Buffer.from(message), () => stream.session.destroy());
  },
  'byte-by-byte': async stream => {
    stream.respond(grpc, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(ok));
    for (const byte of message) await new Promise(sent => stream.write(Buffer.from([byte]), sent));
    stream.end();
  },
};

const [cert, key] = process.argv.slice(2);
const server = cert ? http2.createSecureServer({ cert, key }) : http2.createServer();
server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  stream.resume();
  answers[headers[':path'].split('/').at(-1)](stream);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
