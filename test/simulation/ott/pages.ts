/** The pages that play: each begins a session, renews it on time, and repeats calls that got no answer. */
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { FunctionSurroundings } from '../functions.ts';
import { between, hexOf } from '../streams.ts';
import { type Streaming, sessionSeconds } from './service.ts';

export interface Page {
  readonly id: number;
  readonly user: string;
  readonly session: string;
  readonly client: string;
  readonly event: string;
  /** The event that the page plays later. `undefined`: the page stays with its first event. */
  readonly nextEvent: string | undefined;
  /** Whether the page takes over another page's place if no place is free. */
  readonly takesOver: boolean;
  /** How long the page plays, in milliseconds. */
  readonly plays: number;
}

export interface Played {
  readonly page: Page;
  readonly event: string;
  readonly endsAt: number;
}

export interface Refused {
  readonly page: Page;
  readonly event: string;
  readonly code: string;
  /** Until when the last answer lets the page play. `undefined` if there was no answer. */
  readonly endsAt: number | undefined;
  /** Whether the refused request was for the event that the page plays already. */
  readonly isRenewal: boolean;
}

interface PagesOptions extends FunctionSurroundings {
  readonly service: Streaming;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onPlayed: (played: Played) => void;
  readonly onRefused: (refused: Refused) => void;
}

interface Answer {
  readonly expires_at: string;
  readonly renew_at: string;
  readonly continuation?: string;
}

interface Refusal {
  readonly code?: string;
  readonly details?: { readonly sessions?: readonly { readonly session: string }[] };
}

export const requestOf = <Body>(
  { user, client, event }: { readonly user: string; readonly client: string; readonly event: string },
  { query, body }: { readonly query?: object; readonly body?: Body },
) => {
  const headers: Readonly<Record<string, string>> = { authorization: `${user} ${client}` };
  return {
    path: { event_id: event },
    query,
    body,
    method: 'GET',
    sourceIp: '192.0.2.1',
    addresses: { base: 'https://api.example.com' },
    header: (name: string) => headers[name],
    isRepeated: () => false,
  } as unknown as HttpRequest<never, never, never>;
};

/** Whether a page repeats its request after this refusal, because its reason may be over soon. */
const isPassing = ({ code = 'NONE' }: Refusal): boolean =>
  ['NONE', 'SERVICE_UNAVAILABLE', 'ENTITLEMENT_UNAVAILABLE'].includes(code);

export const createPages = (options: PagesOptions) => {
  const { scheduler, streams, faults, history, service, sleep, onPlayed, onRefused } = options;

  const play = async (page: Page): Promise<void> => {
    const { id, user, session, client, takesOver, plays, nextEvent } = page;
    const random = streams.of(`page ${id}`);
    const stopsAt = scheduler.now() + plays;
    let event = page.event;
    let continuation: string | undefined;
    let endsAt: number | undefined;
    let takeOver: string | undefined;
    let asked = 0;
    let hasMoved = false;
    let isRenewal = false;

    while (scheduler.now() < stopsAt) {
      asked += 1;
      const task = `page ${id}, call ${asked}`;
      const query = { session, continuation, take_over: takeOver };
      const ask = (label: string): Promise<Answer> =>
        service.stream
          .invoke(label, (handler) => handler(requestOf({ user, client, event }, { query })))
          .then(({ body }) => body as Answer);
      if (faults.strike('caller: asks twice', task)) void ask(`${task} at once again`).catch(() => {});
      try {
        const answer = await ask(task);
        endsAt = Date.parse(answer.expires_at);
        continuation = answer.continuation ?? continuation;
        takeOver = undefined;
        isRenewal = true;
        history.say(`page ${id}`, () => `plays ${event} until ${answer.expires_at.slice(11, 19)}`);
        onPlayed({ page, event, endsAt });
        const next = Math.min(Date.parse(answer.renew_at), stopsAt);
        await sleep(Math.max(0, next - scheduler.now()));
        if (nextEvent !== undefined && !hasMoved) {
          hasMoved = true;
          isRenewal = false;
          event = nextEvent;
        }
      } catch (error) {
        const refusal = error as Refusal;
        history.say(`page ${id}`, `gets ${refusal.code ?? String(error)}`);
        if (isPassing(refusal)) {
          await sleep(between(random, 500, 5_000));
          continue;
        }
        const { code = '' } = refusal;
        onRefused({ page, event, code, endsAt, isRenewal });
        const [other] = refusal.details?.sessions ?? [];
        if (code !== 'TOO_MANY_STREAMS' || !takesOver || other === undefined || takeOver !== undefined)
          return;
        takeOver = other.session;
      }
    }
    if (endsAt === undefined || faults.strike('page: goes without a word', `page ${id}`)) return;
    const body = { session };
    await service.end
      .invoke(`end of page ${id}`, (handler) => handler(requestOf({ user, client, event }, { body })))
      .catch((error: Refusal) => history.say(`page ${id}`, `cannot end: ${error.code ?? String(error)}`));
  };

  return {
    play,
    /** Requests the stream once, when no fault strikes. Returns the code of the refusal, or `undefined`. */
    tryOnce: async (page: Page): Promise<string | undefined> => {
      const query = { session: page.session };
      try {
        await service.stream.invoke(`page ${page.id}`, (handler) => handler(requestOf(page, { query })));
        return undefined;
      } catch (error) {
        return (error as Refusal).code ?? String(error);
      }
    },
  };
};

export const sessionId = (random: () => number): string => {
  const hex = hexOf(random, 16).slice(2);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const sessionLeaseMilliseconds = sessionSeconds * 1_000;
