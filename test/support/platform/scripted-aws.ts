import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AwsCall {
  readonly method: string;
  /** The path, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type AwsAnswer = (outgoing: ServerResponse, call: AwsCall) => void;

/** What a service answers. */
export const answering =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): AwsAnswer =>
  (outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const refusing = (type: string, fields: object = {}, status = 400): AwsAnswer =>
  answering(status, {
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: `no: ${type}`,
    ...fields,
  });

/** The stack of a stage, with these outputs. */
export const stackWith = (stage: string, outputs: Readonly<Record<string, string>>): AwsAnswer => {
  const members = Object.entries(outputs).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return answering(
    200,
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Marquee-${stage}</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    { 'content-type': 'text/xml' },
  );
};

/** Says nothing. */
export const silent: AwsAnswer = () => {};

/** The operation of a call, e.g. `SendMessage` or `Publish`. */
export const operationOf = ({ headers, body }: AwsCall): string => {
  const target = headers['x-amz-target'];
  return typeof target === 'string'
    ? (target.split('.')[1] ?? '')
    : (new URLSearchParams(body).get('Action') ?? '');
};

/** Answers each call according to its operation. */
export const byOperation =
  (answers: Readonly<Record<string, AwsAnswer>>): AwsAnswer =>
  (outgoing, call) => {
    const answer = answers[operationOf(call)] ?? refusing('UnknownOperationException');
    answer(outgoing, call);
  };

/** An AWS service that gives the next of the given answers to each call, and repeats the last one. */
export const startScriptedAws = async () => {
  let calls: AwsCall[] = [];
  let answers: readonly AwsAnswer[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    const { method = 'GET', url: path = '/', headers } = incoming;
    const call = { method, path, headers, body: await text(incoming) };
    calls.push(call);
    answer?.(outgoing, call);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      region: 'eu-central-1',
      credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token' },
      endpoint: `http://127.0.0.1:${port}`,
    },
    /** Forgets earlier calls. */
    answer: (...next: readonly AwsAnswer[]) => {
      calls = [];
      answers = next;
    },
    calls: (): readonly AwsCall[] => calls,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
