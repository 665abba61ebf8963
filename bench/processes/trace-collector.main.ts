import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { answerCommands } from './commands';
import { listenOnLoopback } from './listen';
import { collectorCommand } from './trace-collector';

/** Of ExportTraceServiceRequest, ResourceSpans and ScopeSpans, in OpenTelemetry's trace.proto. */
const FIELD = { resourceSpans: 1, scopeSpans: 2, spans: 2 };
const LENGTH_DELIMITED = 2;

let spans = 0;

const collect: RequestListener = (request, response) => {
  buffer(request).then(
    (body) => {
      spans += countSpans(body);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    },
    () => response.destroy(),
  );
};

function countSpans(body: Uint8Array): number {
  let count = 0;
  for (const resourceSpans of partsOf(body, FIELD.resourceSpans)) {
    for (const scopeSpans of partsOf(resourceSpans, FIELD.scopeSpans)) {
      count += [...partsOf(scopeSpans, FIELD.spans)].length;
    }
  }
  return count;
}

/** The messages under one field of a message that has only messages and texts as fields, as all levels down to the spans do. */
function* partsOf(message: Uint8Array, field: number): Generator<Uint8Array> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if (tag % 8 !== LENGTH_DELIMITED) throw new Error(`OTLP has no field of the wire type ${tag % 8} here.`);
    const length = varint();
    if (Math.floor(tag / 8) === field) yield message.subarray(at, at + length);
    at += length;
  }
}

answerCommands(collectorCommand, async (command): Promise<unknown> => {
  switch (command.type) {
    case 'listen':
      return { url: await listenOnLoopback(createServer(collect)) };
    case 'take': {
      const taken = spans;
      spans = 0;
      return { spans: taken };
    }
  }
});
