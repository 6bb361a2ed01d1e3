import * as z from 'zod';
import { eventAnswer } from '../../../shared/ott/http/answers.ts';
import { listEventsOperation } from '../../../shared/ott/http/operations.ts';
import type { ListQuery } from '../../../shared/ott/http/requests.ts';
import { type EventFilters, listEvents } from '../../../shared/ott/lists/list-events.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import { type IdentifyCallerDependencies, identifyCaller } from '../../../shared/ott/viewers/caller.ts';
import {
  type ResolveContextDependencies,
  resolveContext,
} from '../../../shared/ott/viewers/viewer-context.ts';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/platform/http/cursor.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { nextLink } from '../../../shared/platform/http/page-query.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';

export interface Dependencies {
  readonly callers: IdentifyCallerDependencies;
  readonly context: ResolveContextDependencies;
  readonly events: Pick<EventRepository, 'readPartition' | 'eventsDue'>;
  readonly clock: Clock;
  readonly readCursorSecret: () => Promise<string>;
  /** The maximum number of events read for one page. @default 2_000 */
  readonly readBudget?: number;
}

const placeSchema = z.string();

/**
 * If a page ends at its read budget, its cursor may contain the position of an event that is hidden from the viewer.
 * All positions are padded to this length, so that the cursor's length does not reveal the length of the event's id.
 */
const placeLength = 96;

export const listEventsHandler =
  ({ callers, context, events, clock, readCursorSecret, readBudget }: Dependencies) =>
  async (request: HttpRequest<undefined, ListQuery, undefined>): Promise<HttpResponse> => {
    const { limit, cursor, ...filters } = request.query;
    // A filter that the list does not know does not compile.
    const scope: CursorScope = {
      list: 'ott-events',
      filters: filters satisfies Pick<EventFilters, keyof typeof filters>,
    };
    const secret = await readCursorSecret();
    const after =
      cursor === undefined ? undefined : placeSchema.parse(openCursor({ secret, scope, cursor })).trimEnd();

    const caller = await identifyCaller(callers, request);
    const page = await listEvents(
      { events, clock },
      { context: await resolveContext(context, { caller }), filters, limit, after, readBudget },
    );

    const next =
      page.next === undefined
        ? undefined
        : sealCursor({ secret, scope, position: page.next.padEnd(placeLength) });
    return {
      status: 200,
      headers: nextLink({
        url: `${request.addresses.base}${listEventsOperation.documentedRoute}`,
        query: { ...filters, limit: String(limit) },
        cursor: next,
      }),
      body: page.events.map(eventAnswer),
    };
  };
