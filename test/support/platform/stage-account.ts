import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An AWS account whose stack of one stage is the local system's. */
export interface StageAccount {
  /** The endpoint of its services. */
  readonly url: string;
  stop(): Promise<void>;
}

/** What CloudFormation tells of a stack. */
export interface StackState {
  /** Such as `UPDATE_COMPLETE`. */
  readonly status: string;
  /** `undefined` before the first update. */
  readonly updatedAt?: Date;
}

const queryAnswer = (operation: string, content: string): string =>
  `<${operation}Response><${operation}Result>${content}</${operation}Result></${operation}Response>`;

const missingStack = (name: string): string =>
  `<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

/**
 * The answers of a new account with the quotas that staging needs, to calls that the local endpoint does not support.
 */
const ofTheAccount: Readonly<Record<string, object>> = {
  '/account': { throttleSettings: { rateLimit: 10_000, burstLimit: 5_000 } },
  '/2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  },
};
const quota = { Quota: { Value: 30_000 } };

/** What API Gateway answers while `preflight` imports documents into an API that it deletes. */
const ofImports = ({ method, url = '' }: IncomingMessage): object | undefined => {
  if (!/^\/restapis(\/|\?|$)/.test(url)) return undefined;
  return method === 'GET' ? { item: [] } : { id: 'imported' };
};

const forward = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { endpoint, body, state }: { readonly endpoint: string; readonly body: Buffer; readonly state: StackState },
): Promise<void> => {
  const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
  const answer = await fetch(new URL(incoming.url ?? '/', endpoint), {
    method: incoming.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  // The local system only ever creates its stack.
  const { status, updatedAt } = state;
  const updated =
    updatedAt === undefined ? '' : `<LastUpdatedTime>${updatedAt.toISOString()}</LastUpdatedTime>`;
  const received = Buffer.from(
    (await answer.text()).replace('<StackStatus>CREATE_COMPLETE<', `${updated}<StackStatus>${status}<`),
  );
  const { connection: ____, 'transfer-encoding': _____, ...kept } = Object.fromEntries(answer.headers);
  outgoing.writeHead(answer.status, { ...kept, 'content-length': received.length }).end(received);
};

/**
 * Answers the calls of the release program and of the operator's command line for a stage on AWS. The calls are made
 * in the local system, whose policies judge them. Only the quotas of the account, and the template of the stack, are the
 * account's own. Before the system is deployed, there is no stack.
 */
export const startStageAccount = async ({
  stage,
  endpoint,
  state,
}: {
  readonly stage: string;
  /** The endpoint of the local system; `undefined` before the first deployment. */
  readonly endpoint: () => string | undefined;
  /** `undefined` if there is no stack. */
  readonly state: () => StackState | undefined;
}): Promise<StageAccount> => {
  const stack = `Marquee-${stage}`;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const own = ofTheAccount[incoming.url ?? ''] ?? ofImports(incoming);
    if (own !== undefined) return void outgoing.end(JSON.stringify(own));
    if (incoming.headers['x-amz-target']?.includes('ServiceQuotas')) {
      return void outgoing.end(JSON.stringify(quota));
    }
    const text = body.toString('utf8');
    const query = new URLSearchParams(text);
    const target = endpoint();
    if (query.get('Action') === 'GetTemplate') {
      const template = queryAnswer('GetTemplate', '<TemplateBody>{"Resources":{}}</TemplateBody>');
      return void outgoing.writeHead(200, { 'content-type': 'text/xml' }).end(template);
    }
    const isAboutStack = query.get('StackName') === stack;
    const found = state();
    if (isAboutStack && found === undefined) {
      return void outgoing.writeHead(400, { 'content-type': 'text/xml' }).end(missingStack(stack));
    }
    if (target === undefined) {
      return void outgoing.end(queryAnswer('GetCallerIdentity', '<Account>000000000000</Account>'));
    }
    const changed = isAboutStack ? Buffer.from(text.replace(`=${stack}`, '=Marquee-local')) : body;
    await forward(incoming, outgoing, { endpoint: target, body: changed, state: found ?? { status: '' } });
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
