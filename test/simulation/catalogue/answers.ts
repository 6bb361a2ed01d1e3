/** What viewers may get: the decision table of docs/interface.md with the clock as a dimension. */
import { expectationAt, refusedFrom } from '../../support/ott/scheduled-oracle.ts';
import { sessionSeconds } from '../ott/service.ts';
import { lagAtMost } from '../past.ts';
import { caseOf, isRoot, type KnownEvent, momentsIn, opens, type Span } from './known-events.ts';
import type { Ledger } from './ledger.ts';
import type { LaterEvent } from './path-histories.ts';
import { clients, type Question, type Viewer } from './workload.ts';

const second = 1_000;
/** How long a list may use what it has read, besides the lag of the index. */
const cacheMilliseconds = 2 * second;

export interface Asked {
  readonly question: Question;
  /** Whether a list came in pages. */
  readonly isPaged: boolean;
  /** True time. */
  readonly span: Span;
  /** By how much the clock of the process that answers is ahead. */
  readonly offset: number;
}

export interface Listed {
  readonly event_id: string;
  readonly status: string;
}

const outcomes: Readonly<Record<string, string>> = {
  EVENT_NOT_FOUND: '404 EVENT_NOT_FOUND',
  STREAM_NOT_AVAILABLE: '404 STREAM_NOT_AVAILABLE',
  LOGIN_REQUIRED: '403 LOGIN',
  PURCHASE_REQUIRED: '403 PURCHASE',
  ENTITLEMENT_DENIED: '403 DENIED',
};

const wholeSecond = (time: number): number => Math.floor(time / second) * second;

/**
 * What the table says of an event in each part of a span by the clocks of writers: between two entries. What is signed
 * ends by the clock of the process that answers.
 */
const partsOf = (
  event: KnownEvent,
  { viewer, span, own }: { readonly viewer: Viewer; readonly span: Span; readonly own: Span },
) => {
  const given = caseOf(event, { viewer, client: clients[viewer.client] });
  return momentsIn(event, span).map((from) => {
    const { shownAs, stream } = expectationAt(given, from);
    const end = refusedFrom(given, from) ?? Number.POSITIVE_INFINITY;
    const endsFrom = wholeSecond(Math.min(own.from + sessionSeconds * second, end));
    const endsTo = wholeSecond(Math.min(own.to + sessionSeconds * second, end));
    return { shownAs, stream, endsFrom, endsTo };
  });
};

/**
 * Whether an entry cancels the event after its status was set by hand. Once such an entry is stored, it is not known any
 * more when that status was set.
 */
const isCancelledIn = ({ schedule, byHand }: KnownEvent, { from, to }: Span): boolean =>
  byHand !== undefined &&
  schedule.some(({ at, status }) => status === 'CANCELLED' && at > byHand.at && at >= from && at <= to);

export const createAnswers = (
  ledger: Ledger,
  {
    later,
    signedFrom,
    onViolation,
  }: {
    /** An event that this release does not know, or not wholly. @default none */
    readonly later: LaterEvent | undefined;
    /** When the stage begins to sign. True time. */
    readonly signedFrom: number;
    readonly onViolation: (what: string) => void;
  },
) => {
  /** @param since When the answer may have read the event; if it is not given, only after it was asked for. */
  const expected = (id: string, { question, span, offset }: Asked, since?: number) =>
    ledger.between(id, { from: since ?? span.from, to: span.to }).map(({ event }) => {
      if (event === undefined) return { event, parts: [] };
      // In which list an index has an event was decided by other clocks.
      const clock = since === undefined ? ledger.clockOf(event, span, offset) : ledger.apart(span);
      const asked = {
        viewer: question,
        span: clock,
        own: { from: span.from + offset, to: span.to + offset },
      };
      const parts = partsOf(event, asked);
      const isForgotten = ledger.isApart() && isCancelledIn(event, ledger.apart(span));
      const forgotten = { ...event, byHand: undefined };
      return {
        event,
        parts: isForgotten ? [...parts, ...partsOf(forgotten, asked)] : parts,
      };
    });
  const who = ({ kind, country, client, id }: Question): string =>
    `Question ${id} (${kind} in ${country ?? 'an unknown country'}, ${client})`;

  /** What a signature for the event would open besides at all moments of a span, or at one. */
  const openedBeside = (id: string, span: Span, at: 'all' | 'one'): string | undefined => {
    const own = ledger.between(id, span).map(({ event }) => event);
    const holds = (test: (event: KnownEvent) => boolean): boolean =>
      own[at === 'all' ? 'every' : 'some']((event) => event !== undefined && test(event));
    if (holds(isRoot)) return 'everything on its host';
    if (later !== undefined && holds((event) => opens(event, later))) return later.id;
    return ledger.ids().find((other) => {
      const beside = ledger.between(other, span);
      const isOpen = (event: KnownEvent): boolean =>
        beside[at === 'all' ? 'every' : 'some']((two) => two.event !== undefined && opens(event, two.event));
      return other !== id && holds(isOpen);
    });
  };

  return {
    onShown: (asked: Asked, answer: { readonly status?: string; readonly code?: string }): void => {
      const { question } = asked;
      const wanted = expected(question.event, asked).flatMap(({ event, parts }) =>
        event === undefined ? [undefined] : parts.map(({ shownAs }) => shownAs),
      );
      if (!wanted.some((one) => one === answer.status))
        onViolation(
          `${who(question)} sees ${question.event} as ${answer.status ?? answer.code}, not as ${wanted.join(' or ')}`,
        );
    },
    /** @param endsAt `undefined` if nothing was signed. */
    onPlayed: (asked: Asked, endsAt: number | undefined): void => {
      const { question, span } = asked;
      const { event: id } = question;
      const parts = expected(id, asked).flatMap((one) => one.parts);
      const open = parts.filter(({ stream }) => stream === '200');
      if (open.length === 0) {
        const said = parts.map(({ stream }) => stream).join(' or ') || 'no such event';
        onViolation(`${who(question)} plays ${id}, and the table says ${said}`);
      } else if (endsAt === undefined) {
        if (span.from >= signedFrom) onViolation(`${who(question)} plays ${id} without a signature`);
      } else if (!open.some(({ endsFrom, endsTo }) => endsAt >= endsFrom && endsAt <= endsTo)) {
        const [first] = open;
        onViolation(
          `${who(question)} plays ${id} until ${new Date(endsAt).toISOString()}, not ${new Date(first?.endsTo ?? 0).toISOString()}`,
        );
      }
      const opened = openedBeside(id, { from: span.from - lagAtMost, to: span.to }, 'all');
      if (endsAt !== undefined && opened !== undefined)
        onViolation(`${who(question)} gets a signature for ${id} that opens ${opened} too`);
    },
    onRefused: (
      asked: Asked,
      { code, isOfPath }: { readonly code: string; readonly isOfPath: boolean },
    ): void => {
      const { question, span } = asked;
      const { event: id } = question;
      const wanted = expected(id, asked).flatMap(({ event, parts }) =>
        event === undefined ? ['404 EVENT_NOT_FOUND'] : parts.map(({ stream }) => stream),
      );
      if (isOfPath) {
        if (openedBeside(id, { from: span.from - lagAtMost, to: span.to }, 'one') === undefined)
          onViolation(`${who(question)} gets no signature for ${id}, whose path is its own`);
      } else if (!wanted.some((one) => one === outcomes[code]))
        onViolation(`${who(question)} gets ${code} for ${id}, and the table says ${wanted.join(' or ')}`);
    },
    onListed: (asked: Asked, listed: readonly Listed[]): void => {
      const { question, isPaged, span } = asked;
      const since = span.from - lagAtMost - cacheMilliseconds;
      const isWanted = (status: string | undefined) =>
        status !== undefined && (question.status ?? status) === status;
      for (const id of ledger.ids()) {
        const all = listed.filter(({ event_id }) => event_id === id);
        // Indexes lag, each as it likes: what somebody moves may be missing for a moment.
        const isMoving = ledger.of(id).some(({ at, isMoved }) => isMoved && at >= since && at <= span.to);
        // Or it moves from one page to the next.
        if (all.length > 1 && !(isPaged && isMoving))
          onViolation(`${who(question)} gets ${id} twice in a list`);
        const status = all[0]?.status;
        const wanted = expected(id, asked, since).flatMap(({ event, parts }) =>
          event === undefined ? [undefined] : parts.map(({ shownAs }) => shownAs),
        );
        const isThere = wanted.some((one) => one === status && isWanted(one));
        // So may what a clock that is ahead has moved before its entry is due by the clock of the list.
        const isAhead = ledger.isApart() && new Set(wanted).size > 1;
        const mayMiss = isMoving || isAhead || wanted.some((one) => !isWanted(one));
        if (status === undefined ? !mayMiss : !isThere)
          onViolation(
            `${who(question)} gets a list${question.status === undefined ? '' : ` of ${question.status}`} with ${id} as ${status ?? 'missing'}, not as ${[...new Set(wanted)].join(' or ')}`,
          );
      }
      const places = listed
        .filter(({ event_id }) => event_id !== later?.id)
        .map(({ event_id }) => {
          const known = ledger
            .between(event_id, { from: since, to: span.to })
            .flatMap(({ event }) => event ?? []);
          return `${known[0]?.startsAt} ${event_id}`;
        });
      const isStill = listed.every(
        ({ event_id }) => ledger.between(event_id, { from: since, to: span.to }).length === 1,
      );
      if (isStill && places.some((place, index) => index > 0 && place > String(places[index - 1])))
        onViolation(`${who(question)} gets a list that is not in the order of its events`);
    },
  };
};
export type Answers = ReturnType<typeof createAnswers>;
