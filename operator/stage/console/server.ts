import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type FastifyReply, fastify } from 'fastify';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { type Clock, systemClock } from '../../../shared/platform/time/clock.ts';
import { contractApplicationsOf, ticketsOf } from '../../ott/tickets/ticket-stores.ts';
import { explainEvent, whyWords } from '../../ott/why/explain-event.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { applicationsOf, eventStoreOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { find } from '../find/find.ts';
import { stageFinder } from '../find/stage-finder.ts';
import { faultsIn } from '../metrics/faults.ts';
import { type Range, ranges } from '../metrics/read-metrics.ts';
import { readMoment, type StageMoment } from '../status/moment.ts';
import { signersOf, stageReader } from '../status/stage-now.ts';
import { type Part, parts } from '../status/verdict.ts';
import { consoleAccess, consolePath } from './access.ts';
import { listCustomers, showCustomer } from './customers.ts';
import { type Feed, feedOf } from './feed.ts';
import { readRunbook } from './runbook-page.ts';

export interface Console {
  /** Contains the token, which admits one browser. */
  readonly url: string;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const page = (name: string): Buffer => readFileSync(new URL(`page/${name}`, import.meta.url));

const files: Readonly<Record<string, { readonly type: string; readonly body: Buffer }>> = {
  '': { type: 'text/html; charset=utf-8', body: page('index.html') },
  '/runbook': { type: 'text/html; charset=utf-8', body: readRunbook() },
  '/console.css': { type: 'text/css; charset=utf-8', body: page('console.css') },
  '/uplot.css': {
    type: 'text/css; charset=utf-8',
    body: readFileSync(require.resolve('uplot/dist/uPlot.min.css')),
  },
  '/uplot.js': {
    type: 'text/javascript; charset=utf-8',
    body: readFileSync(require.resolve('uplot/dist/uPlot.esm.js')),
  },
  ...Object.fromEntries(
    ['console.js', 'elements.js', 'now.js', 'over-time.js', 'find.js', 'customers.js'].map((name) => [
      `/${name}`,
      { type: 'text/javascript; charset=utf-8', body: page(name) },
    ]),
  ),
};

/** The pages may load and request content from this server only, and no other page may embed them. */
const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A part of the page *Now*. `failure` says why it could not be read, and `content` is then its last reading. */
export interface ShownPanel {
  readonly panel: Part | 'verdict';
  /** When the panel was last read, epoch milliseconds. */
  readonly at: number | undefined;
  readonly content: unknown;
  readonly failure?: string | undefined;
}

/** What the page *Now* shows at once. */
export interface ShownMoment {
  /** When the reading began, epoch milliseconds. */
  readonly begun_at: number;
  readonly panels: readonly ShownPanel[];
}

export const shownOf = ({ begunAt, at, readings, readAt, verdict }: StageMoment): ShownMoment => ({
  begun_at: begunAt,
  panels: [
    { panel: 'verdict', at, content: verdict },
    ...parts.map((panel) => ({
      panel,
      at: readAt[panel],
      content: readings[panel],
      failure: readings.failures[panel],
    })),
  ],
});

/** The body of the response to a refused request for the console's page. Other refusals have no body. */
const refusedPage =
  'This address opens the console once, in one browser. To use another browser, end the console command with Ctrl-C and start it again.\n';

/**
 * Opens the console from a page of its own. After a click on the address in another site, such as a web mail, a redirect
 * would be a request of that site, which is refused.
 */
const enteredPage = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${consolePath}">
<link rel="icon" href="data:,">
<title>Marquee console</title>
`;

const longestQuery = 300;

const isRange = (text: unknown): text is Range => typeof text === 'string' && Object.hasOwn(ranges, text);

/** A copy of the target, and a function that returns how many calls to tables were made through it. */
const counted = (target: Target): { readonly target: Target; readonly calls: () => number } => {
  let calls = 0;
  const onTableCall = () => {
    calls += 1;
  };
  return {
    target: { ...target, output: (name) => target.output(name), onTableCall },
    calls: () => calls,
  };
};

const stream = (reply: FastifyReply, feed: Feed<StageMoment>): void => {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' });
  raw.write('retry: 2000\n\n');
  const end = feed.follow((moment) => raw.write(`data: ${JSON.stringify(shownOf(moment))}\n\n`));
  raw.on('close', end);
};

/** Serves the console of a stage on 127.0.0.1 only. The console only reads. It changes
 * nothing but what is known of an outside service that it had to ask itself. */
export const startConsole = async (
  target: Target,
  {
    port,
    remark,
    clock = systemClock,
  }: {
    /** 0 chooses a free port. */
    readonly port: number;
    readonly remark: (text: string) => void;
    /** Decides when panels are read again. @default the machine's clock */
    readonly clock?: Clock;
  },
): Promise<Console> => {
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  const tables = { signers: counted(target), notifications: counted(target), services: counted(target) };
  const reader = stageReader(target, { remark, clock, targetOf: (panel) => tables[panel].target });
  const finder = stageFinder(target, { remark });
  const feed = feedOf<StageMoment>(
    {
      read: (before) =>
        readMoment(reader, {
          clock,
          signers: signersOf(target),
          command: (words) => target.command(words),
          before,
        }),
      tableCalls: () => Object.values(tables).map(({ calls }) => calls()),
    },
    { clock },
  );

  server.setErrorHandler((error, _, reply) => {
    const isTold = error instanceof OperatorError || error instanceof ServiceError;
    const message = error instanceof Error ? error.message : String(error);
    if (!isTold) remark(message);
    reply.code(isTold ? 400 : 502).send({ message });
  });
  let access: ReturnType<typeof consoleAccess> | undefined;
  server.addHook('onRequest', async (request, reply) => {
    const { method, url, headers } = request;
    const verdict = access?.judge({ method, url, headers }) ?? 'refused';
    if (verdict === 'refused') {
      const isPage = url === consolePath || url.startsWith(`${consolePath}?`);
      return reply
        .code(403)
        .headers(safeHeaders)
        .send(isPage ? refusedPage : undefined);
    }
    if (verdict === 'enter') {
      return reply
        .headers({ ...safeHeaders, 'set-cookie': access?.cookie })
        .type('text/html; charset=utf-8')
        .send(enteredPage);
    }
    return undefined;
  });
  server.addHook('onSend', async (_, reply) => {
    reply.headers(safeHeaders);
  });

  for (const [path, { type, body }] of Object.entries(files)) {
    server.get(`${consolePath}${path}`, (_, reply) => reply.type(type).send(body));
  }
  const api = `${consolePath}/api`;
  server.get(`${api}/stage`, () => ({
    stage: target.stage,
    is_local: target.isLocal,
    command: target.command(''),
    signers: stageSettings(target.stage).nft.signers,
  }));
  server.get(`${api}/now`, (_, reply) => stream(reply, feed));
  server.get<{ Querystring: { range?: string } }>(`${api}/over-time`, async ({ query: { range } }) => {
    if (!isRange(range))
      throw new OperatorError({ message: `The range must be one of ${Object.keys(ranges).join(', ')}.` });
    const measured = await reader.metrics.read(range);
    const { seconds, periodSeconds } = ranges[range];
    return {
      range,
      seconds,
      period_seconds: periodSeconds,
      at: measured?.at,
      faults: measured === undefined ? [] : faultsIn(measured),
      points: Object.fromEntries(
        [...(measured?.points ?? [])].map(([id, points]) => [id, points.map(({ at, value }) => [at, value])]),
      ),
    };
  });
  server.get<{ Querystring: { what?: string } }>(`${api}/find`, async ({ query: { what = '' } }) => {
    const text = what.trim();
    if (text === '' || text.length > longestQuery) return { timelines: [] };
    return { timelines: await find(finder, text) };
  });
  server.get(`${api}/customers`, () => listCustomers(target));
  server.get<{ Params: { id: string } }>(`${api}/customers/:id`, ({ params }) =>
    showCustomer(target, params.id),
  );
  server.get<{ Querystring: Record<string, string | undefined> }>(`${api}/why`, async ({ query }) => {
    const question = {
      eventId: query.event ?? '',
      client: query.client ?? '',
      country: query.country || undefined,
      viewer: query.viewer ?? 'anonymous',
      user: query.user || undefined,
    };
    const explanation = await explainEvent(
      {
        applications: applicationsOf(target),
        contracts: contractApplicationsOf(target),
        events: dynamoDbEvents(eventStoreOf(target)),
        clock: systemClock,
        tickets: ticketsOf(target),
      },
      question,
    );
    return { ...explanation, command: target.command(whyWords(question)) };
  });

  await server.listen({ host: '127.0.0.1', port });
  const address = server.server.address();
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  access = consoleAccess({ host });
  return { url: `http://${host}${consolePath}?token=${access.token}`, stop: () => server.close() };
};
