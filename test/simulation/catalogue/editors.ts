/** Editors who change events over HTTP, and the operator who imports the file again: each repeats what got no answer. */
import { eventRecordSchema } from '../../../shared/ott/events/event-record.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { FunctionSurroundings } from '../functions.ts';
import { between, oneOf } from '../streams.ts';
import {
  type Command,
  type EventRecord,
  isOverlapping,
  type KnownEvent,
  knownOf,
  statusesIn,
} from './known-events.ts';
import type { Ledger } from './ledger.ts';
import type { PathHistory } from './path-histories.ts';
import type { Catalogue } from './service.ts';
import { type Action, ids, recordOf, scheduleOf, type Timed, urlOf } from './workload.ts';

interface Order {
  readonly command: Command;
  /** The tag of the event that the editor means to change; `none` if there must be none. @default whatever is there */
  readonly etag?: string | undefined;
}

interface Refusal {
  readonly code?: string;
  readonly details?: { readonly overlaps_with?: readonly string[] };
}

interface EditorsOptions extends FunctionSurroundings {
  readonly catalogue: Catalogue;
  readonly ledger: Ledger;
  readonly orders: Map<string, Order>;
  readonly file: readonly EventRecord[];
  readonly pathHistory: PathHistory | undefined;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onViolation: (what: string) => void;
}

/** Refusals for which the same request may soon succeed. */
const isPassing = ({ code = 'NONE' }: Refusal): boolean =>
  ['NONE', 'SERVICE_UNAVAILABLE', 'CONFLICT'].includes(code);

const requestOf = ({
  editor,
  event,
  body,
  etag,
}: {
  readonly editor: string;
  readonly event: string;
  readonly body?: unknown;
  readonly etag?: string | undefined;
}) => {
  const headers: Readonly<Record<string, string | undefined>> =
    etag === undefined ? {} : etag === 'none' ? { 'if-none-match': '*' } : { 'if-match': etag };
  const path = { event_id: event };
  const header = (name: string) => headers[name];
  return { apiKeyId: `key-${editor}`, path, body, header } as unknown as HttpRequest<never, never, never>;
};

export const createEditors = (options: EditorsOptions) => {
  const { scheduler, streams, faults, history, catalogue, ledger, orders, file, sleep, onViolation } =
    options;
  const { run, functions } = catalogue;
  const { later, availableFrom } = options.pathHistory?.kind === 'later release' ? options.pathHistory : {};
  const window = availableFrom === undefined ? {} : { available_from: availableFrom };

  /** The answer, or the final refusal. `undefined` if nobody has answered. */
  const insist = async <Answer>(
    task: string,
    call: (task: string) => Promise<Answer>,
  ): Promise<
    { readonly answer?: Answer; readonly refusal?: Refusal; readonly startedAt: number } | undefined
  > => {
    if (faults.strike('caller: asks twice', task)) void call(`${task}, at once again`).catch(() => {});
    for (let tried = 1; tried <= 4; tried += 1) {
      const startedAt = scheduler.now();
      try {
        return { answer: await call(`${task}, try ${tried}`), startedAt };
      } catch (error) {
        const refusal = error as Refusal;
        history.say(task, () => `gets ${refusal.code ?? String(error)}`);
        if (!isPassing(refusal)) return { refusal, startedAt };
        await sleep(between(streams.of(task), 500, 5_000));
      }
    }
    return undefined;
  };

  const read = async (
    task: string,
    { editor, event }: { readonly editor: string; readonly event: string },
  ) => {
    const found = await insist(`${task} reads`, (label) =>
      run(functions.edit, label, ({ get }) => get(requestOf({ editor, event }))),
    );
    if (found?.answer === undefined) return undefined;
    const { body, headers } = found.answer;
    return { record: body as EventRecord, etag: String(headers?.etag) };
  };

  const put = async (
    task: string,
    {
      editor,
      record,
      etag,
    }: { readonly editor: string; readonly record: EventRecord; readonly etag: string },
  ): Promise<void> => {
    const { event_id: event } = record;
    orders.set(task, { command: { kind: 'put', record }, etag });
    const found = await insist(task, (label) =>
      run(functions.edit, label, (handlers) =>
        handlers.put(requestOf({ editor, event, etag, body: eventRecordSchema.parse(record) })),
      ),
    );
    if (found?.answer !== undefined && !ledger.hasWritten(task))
      onViolation(`${task} was told that ${event} is changed, and it was not`);
    if (found?.refusal?.code !== 'PATH_OVERLAPS') return;
    const span = { from: found.startedAt, to: scheduler.now() };
    const isNamed = (found.refusal.details?.overlaps_with ?? []).some((id) =>
      ledger
        .between(id, span)
        .some(
          ({ event: other }) => id !== event && other !== undefined && isOverlapping(knownOf(record), other),
        ),
    );
    const isLater = later !== undefined && isOverlapping(knownOf(record), later);
    if (!isNamed && !isLater) onViolation(`${task} is refused because of a path that is free`);
  };

  /** What an editor makes of an event that was read. */
  const edited = (
    kind: Action['kind'],
    { record, task }: { readonly record: EventRecord; readonly task: string },
  ) => {
    const random = streams.of(task);
    const startsAt = Math.ceil(scheduler.now() / 1_000) * 1_000 - 30_000;
    const lasts = 10 * 60_000;
    const title = `${record.event_id} by ${task}`;
    switch (kind) {
      case 'reschedule':
        return {
          ...record,
          title,
          schedule:
            scheduleOf(random, { startsAt, lasts, status: record.status_in_file ?? record.status }) ?? null,
        };
      case 'move': {
        const folder = oneOf(random, [...ids, `${record.event_id}/inner`, 'elsewhere']);
        return { ...record, title, stream: { ...record.stream, ...window, url: urlOf(folder) } };
      }
      case 'rewrite':
        return { ...recordOf(random, { id: record.event_id, startsAt, lasts }), title };
      default:
        return { ...record, title };
    }
  };

  const change = async (
    action: Exclude<Timed<Action>, { readonly kind: 'import' }>,
    task: string,
  ): Promise<void> => {
    const { editor, event, kind } = action;
    switch (kind) {
      case 'create': {
        const startsAt = Math.ceil(scheduler.now() / 1_000) * 1_000;
        const record = recordOf(streams.of(task), { id: event, startsAt, lasts: 5 * 60_000 });
        const stream = { ...record.stream, ...window, url: urlOf(action.folder) };
        return put(task, {
          editor,
          etag: 'none',
          record: { ...record, title: `${event} by ${task}`, stream },
        });
      }
      case 'status': {
        const { status } = action;
        orders.set(task, { command: { kind, status } });
        const found = await insist(task, (label) =>
          run(functions.edit, label, (handlers) =>
            handlers.status(requestOf({ editor, event, body: { status } })),
          ),
        );
        if (found?.answer === undefined || ledger.hasWritten(task)) return;
        const span = { from: found.startedAt - 30_000, to: scheduler.now() + 30_000 };
        const isSo = ledger
          .between(event, span)
          .some(({ event: one }) => one && statusesIn(one, span).has(status));
        if (!isSo) onViolation(`${task} was told that ${event} is ${status}, and it was not`);
        return;
      }
      case 'delete': {
        orders.set(task, { command: { kind } });
        const found = await insist(task, (label) =>
          run(functions.edit, label, (handlers) => handlers.delete(requestOf({ editor, event }))),
        );
        if (found?.answer !== undefined && !ledger.hasWritten(task))
          onViolation(`${task} was told that ${event} is deleted, and it was not`);
        return;
      }
      default: {
        const found = await read(task, { editor, event });
        if (found === undefined) return;
        return put(task, { editor, etag: found.etag, record: edited(kind, { record: found.record, task }) });
      }
    }
  };

  return {
    restore: async (source: string, events: ReadonlyMap<string, KnownEvent>): Promise<void> => {
      const task = 'restore';
      history.say('operator', () => `brings back ${[...events.keys()].join(', ')}`);
      orders.set(task, { command: { kind: 'restore', events } });
      await insist(task, (label) => catalogue.restore(label, source));
    },
    act: async (action: Timed<Action>): Promise<void> => {
      const task = `action ${action.id}`;
      history.say(
        action.kind === 'import' ? 'operator' : action.editor,
        () => `${task}: ${JSON.stringify(action)}`,
      );
      if (action.kind !== 'import') return change(action, task);
      orders.set(task, { command: { kind: 'import', file } });
      await insist(task, (label) => catalogue.importFile(label, file));
    },
  };
};
