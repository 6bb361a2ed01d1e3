import { Agent, request } from 'node:http';

/**
 * The server requires a well-formed signature but does not verify it. All callers use this access key and Region,
 * because DynamoDB Local keeps a separate database for each pair of access key and Region.
 */
export const nativeAuthorization =
  'AWS4-HMAC-SHA256 Credential=runtime/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

export class DynamoDbFault extends Error {
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(`${code}: ${message}`);
    this.name = 'DynamoDbFault';
    this.code = code;
  }
}

export type Call = (target: string, input: unknown) => Promise<unknown>;

/** Keeps connections open until `close`. */
export const wire = (endpoint: string): { call: Call; close: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  const call: Call = async (target, input) => {
    const { status, body } = await post({ endpoint, agent, target, body: JSON.stringify(input) });
    const answer: unknown = body === '' ? {} : JSON.parse(body);
    if (status >= 400) throw faultOf(answer, status);
    return answer;
  };
  return { call, close: () => agent.destroy() };
};

const post = (call: { endpoint: string; agent: Agent; target: string; body: string }) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const outgoing = request(
      call.endpoint,
      {
        agent: call.agent,
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'content-length': Buffer.byteLength(call.body),
          'x-amz-target': call.target,
          'x-amz-date': '20260101T000000Z',
          authorization: nativeAuthorization,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });

const faultOf = (answer: unknown, status: number): DynamoDbFault => {
  const fields = new Map(typeof answer === 'object' && answer !== null ? Object.entries(answer) : []);
  const type = String(fields.get('__type') ?? `HTTP ${status}`);
  return new DynamoDbFault({
    code: type.slice(type.indexOf('#') + 1),
    message: String(fields.get('message') ?? fields.get('Message') ?? ''),
  });
};
