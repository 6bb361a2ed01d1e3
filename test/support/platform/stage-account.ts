import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { reservedBy, type SynthesizedStage } from './synthesized-stage.ts';

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
  /** What was deployed last. */
  readonly stage: SynthesizedStage;
}

const queryAnswer = (operation: string, content: string): string =>
  `<${operation}Response><${operation}Result>${content}</${operation}Result></${operation}Response>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const missingStack = (name: string): string =>
  `<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

/** The account's quota of concurrent executions, which AWS grants an account after its first days. */
const concurrentExecutions = 1_000;

/** The answers of an account with AWS's default quotas, to calls that the local endpoint does not support. */
const ofTheAccount = (path: string, state: StackState | undefined): object | undefined => {
  switch (path) {
    case '/account':
      return { throttleSettings: { rateLimit: 10_000, burstLimit: 5_000 } };
    case '/2016-08-19/account-settings': {
      const reserved = state === undefined ? 0 : reservedBy(state.stage);
      return {
        AccountLimit: {
          ConcurrentExecutions: concurrentExecutions,
          UnreservedConcurrentExecutions: concurrentExecutions - reserved,
        },
      };
    }
  }
  return undefined;
};

/** AWS's default quotas, by their code. */
const quotas: Readonly<Record<string, object>> = {
  'L-DC14942D': { QuotaName: 'Cryptographic operations (ECC) request rate', Value: 1_000 },
  'L-F8E2BA85': { QuotaName: 'Messages Published per Second', Value: 30_000 },
  'L-B96EDA7D': { QuotaName: 'Filter Policies per Topic', Value: 200 },
};
const quotaRequest = z.object({ QuotaCode: z.string() });

/** What API Gateway answers while `preflight` imports documents into an API that it deletes. */
const ofImports = ({ method, url = '' }: IncomingMessage): object | undefined => {
  if (!/^\/restapis(\/|\?|$)/.test(url)) return undefined;
  return method === 'GET' ? { item: [] } : { id: 'imported' };
};

/** The stack of the local system, which is only ever created, as the deployments of the stage would have left it. */
const asDeployed = (answer: string, { status, updatedAt, stage }: StackState): string => {
  const updated =
    updatedAt === undefined ? '' : `<LastUpdatedTime>${updatedAt.toISOString()}</LastUpdatedTime>`;
  return answer
    .replace('<StackStatus>CREATE_COMPLETE<', `${updated}<StackStatus>${status}<`)
    .replace(/(<EnableTerminationProtection>)\w+/, `$1${stage.isProtected}`);
};

const forward = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  {
    endpoint,
    body,
    state,
  }: { readonly endpoint: string; readonly body: Buffer; readonly state: StackState | undefined },
): Promise<void> => {
  const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
  const answer = await fetch(new URL(incoming.url ?? '/', endpoint), {
    method: incoming.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  const text = await answer.text();
  const received = Buffer.from(state === undefined ? text : asDeployed(text, state));
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
    const found = state();
    const own = ofTheAccount(incoming.url ?? '', found) ?? ofImports(incoming);
    if (own !== undefined) return void outgoing.end(JSON.stringify(own));
    if (incoming.headers['x-amz-target']?.includes('ServiceQuotas')) {
      const { QuotaCode } = quotaRequest.parse(JSON.parse(body.toString('utf8')));
      return void outgoing.end(JSON.stringify({ Quota: quotas[QuotaCode] }));
    }
    const text = body.toString('utf8');
    const query = new URLSearchParams(text);
    const target = endpoint();
    const isAboutStack = query.get('StackName') === stack;
    if (isAboutStack && found === undefined) {
      return void outgoing.writeHead(400, { 'content-type': 'text/xml' }).end(missingStack(stack));
    }
    if (found !== undefined && query.get('Action') === 'GetTemplate') {
      const template = `<TemplateBody>${escaped(JSON.stringify(found.stage.template))}</TemplateBody>`;
      return void outgoing
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(queryAnswer('GetTemplate', template));
    }
    if (target === undefined) {
      return void outgoing.end(queryAnswer('GetCallerIdentity', '<Account>000000000000</Account>'));
    }
    const changed = isAboutStack ? Buffer.from(text.replace(`=${stack}`, '=Marquee-local')) : body;
    await forward(incoming, outgoing, { endpoint: target, body: changed, state: found });
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
