import { request } from 'node:http';
import type { Target } from '../../../../operator/platform/target/target.ts';
import {
  type Console,
  type ShownMoment,
  type ShownPanel,
  startConsole,
} from '../../../../operator/stage/console/server.ts';
import { type DatabaseProxyCall, startDatabaseFaultProxy } from '../../platform/dynamodb-fault-proxy.ts';

/** A GET request with any `Host` and `Origin` header. `fetch` sets these two itself. */
export const get = (url: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string; cookie: string }>((resolve, reject) => {
    const asked = request(url, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

/** The contents of a panel of the console, which were read from the stage at `begunAt` or later. */
export type Received = ShownPanel & { readonly begunAt: number };

/** What a page that shows *Now* receives, until `stop`. */
export interface Followed {
  readonly shown: readonly Received[];
  /** Resolves to the panel's next content that was read after this call. */
  next(panel: string): Promise<Received>;
  stop(): void;
}

export interface WatchedConsole extends Console {
  /** The console's calls to AWS for tables, metrics, alarms, keys and secrets. */
  readonly asked: readonly DatabaseProxyCall[];
  /** Moves the console's clock forward. */
  skip(milliseconds: number): void;
  follow(cookie: string): Followed;
}

const eventsIn = async function* (url: URL, cookie: string, signal: AbortSignal): AsyncGenerator<Received> {
  const { body } = await fetch(url, { headers: { cookie }, signal });
  if (body === null) throw new Error('The console sends nothing');
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks.filter((each) => each.startsWith('data: '))) {
      const { begun_at: begunAt, panels }: ShownMoment = JSON.parse(block.slice(6));
      for (const panel of panels) yield { ...panel, begunAt };
    }
  }
};

/** A console whose AWS calls are recorded and whose clock the test controls. */
export const startWatchedConsole = async (
  target: Target,
  { isClockStopped = false }: { readonly isClockStopped?: boolean } = {},
): Promise<WatchedConsole> => {
  const proxy = await startDatabaseFaultProxy({ target: String(target.aws.endpoint) });
  let ahead = 0;
  const startedAt = Date.now();
  const clock = () => (isClockStopped ? startedAt : Date.now()) + ahead;
  const served = await startConsole(
    { ...target, aws: { ...target.aws, endpoint: proxy.url } },
    { port: 0, remark: () => {}, clock },
  );
  return {
    url: served.url,
    asked: proxy.calls,
    skip: (milliseconds) => {
      ahead += milliseconds;
    },
    follow: (cookie) => {
      const ending = new AbortController();
      const shown: Received[] = [];
      const waiting = new Set<{
        readonly isWanted: (each: Received) => boolean;
        tell(each: Received): void;
      }>();
      const listen = async () => {
        for await (const each of eventsIn(new URL('/console/api/now', served.url), cookie, ending.signal)) {
          shown.push(each);
          for (const one of waiting) if (one.isWanted(each)) one.tell(each);
        }
      };
      listen().catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      });
      return {
        shown,
        next: (panel) => {
          const from = clock();
          const { promise, resolve } = Promise.withResolvers<Received>();
          const one = {
            isWanted: (each: Received) => each.panel === panel && each.begunAt >= from,
            tell: (each: Received) => {
              waiting.delete(one);
              resolve(each);
            },
          };
          waiting.add(one);
          return promise;
        },
        stop: () => ending.abort(),
      };
    },
    stop: async () => {
      await served.stop();
      await proxy.stop();
    },
  };
};
