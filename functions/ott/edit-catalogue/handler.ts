import { deleteEvent } from '../../../shared/ott/catalogue/delete-event.ts';
import {
  EventNotAsExpectedError,
  NoSuchEventError,
  PreconditionRequiredError,
} from '../../../shared/ott/catalogue/errors.ts';
import { listCatalogue } from '../../../shared/ott/catalogue/list-catalogue.ts';
import { type PutEventDependencies, putEvent } from '../../../shared/ott/catalogue/put-event.ts';
import { despiteOthers } from '../../../shared/ott/catalogue/put-one.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { getStored, type RequireExpected } from '../../../shared/ott/catalogue/stored-event.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { isEventId } from '../../../shared/ott/events/event-schema.ts';
import { catalogueEventAnswer } from '../../../shared/ott/http/catalogue-answers.ts';
import { etagOf, listCatalogueOperation } from '../../../shared/ott/http/catalogue-operations.ts';
import type { ListCatalogueQuery, StatusRequest } from '../../../shared/ott/http/catalogue-requests.ts';
import type { EventPath } from '../../../shared/ott/http/requests.ts';
import type { Catalogue, EventVersion } from '../../../shared/ott/ports/catalogue.ts';
import type { EditCounts } from '../../../shared/ott/ports/edit-counts.ts';
import type { LoggedChange } from '../../../shared/ott/ports/event-history.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import {
  type CallingDependencies,
  callingEditor,
} from '../../../shared/platform/applications/calling-application.ts';
import { BadRequestError } from '../../../shared/platform/errors.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { pageAnswer } from '../../../shared/platform/http/page-answer.ts';
import { preconditionOf } from '../../../shared/platform/http/preconditions.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { eventChangedCode } from '../../../shared/platform/watched.ts';

export interface Dependencies extends CallingDependencies, Omit<PutEventDependencies, 'catalogue'> {
  /** The catalogue, whose history names the caller. It tells of each change that it makes. */
  readonly catalogueOf: (by: string, tell: (change: LoggedChange) => void) => Catalogue;
  readonly editCounts: Pick<EditCounts, 'count'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly events: Pick<EventRepository, 'readPartition'>;
  readonly signing: Signing;
  readonly readCursorSecret: () => Promise<string>;
}

type OneRequest<Body = undefined> = HttpRequest<EventPath, undefined, Body>;

const eventAnswer = (
  { clock }: Dependencies,
  stored: EventVersion,
  { isCreated = false }: { readonly isCreated?: boolean } = {},
): HttpResponse => ({
  status: isCreated ? 201 : 200,
  headers: { etag: etagOf(stored) },
  body: catalogueEventAnswer(stored.event, clock()),
});

/**
 * Does work with the catalogue for a caller who may edit it. Each change is one line in the log, which nobody can change
 * or delete: also somebody with the key of an editor cannot hide what the key has done.
 */
const asEditor = async <Result>(
  { applications, catalogueOf, editCounts, logger, clock }: Dependencies,
  { apiKeyId }: OneRequest<unknown>,
  work: (editing: { readonly catalogue: Catalogue }) => Promise<Result>,
): Promise<Result> => {
  const { id: editor } = await callingEditor(applications, apiKeyId);
  const keyId = apiKeyId ?? 'unknown';
  let changes = 0;
  const catalogue = catalogueOf(`editor ${editor}`, ({ id, isMade, at: _, by: __, ...change }) => {
    changes += 1;
    logger.info(isMade ? 'An event was changed' : 'An event was perhaps changed', {
      code: eventChangedCode,
      event_id: id,
      editor,
      key_id: keyId,
      ...change,
    });
  });
  try {
    return await work({ catalogue });
  } finally {
    if (changes > 0)
      await editCounts
        .count({ editor, keyId, changes, at: clock() })
        .catch((error: unknown) => logger.warn('A change was not counted', { error }));
  }
};

/** @throws NoSuchEventError if no event can have the id. */
const requireEventId = ({ path: { event_id: id } }: OneRequest<unknown>) => {
  if (!isEventId(id)) throw new NoSuchEventError({ id });
  return { id };
};

const expectedBy = ({ path, header }: OneRequest<unknown>): RequireExpected => {
  const isExpected = preconditionOf(header);
  return (stored) => {
    const etag = stored && etagOf(stored);
    if (!isExpected(etag)) throw new EventNotAsExpectedError({ id: path.event_id, etag });
  };
};

export const getHandler =
  (dependencies: Dependencies) =>
  async (request: OneRequest): Promise<HttpResponse> =>
    eventAnswer(
      dependencies,
      await asEditor(dependencies, request, (editing) => getStored(editing, requireEventId(request))),
    );

export const putHandler =
  (dependencies: Dependencies) =>
  async (request: OneRequest<Event>): Promise<HttpResponse> => {
    const { signing } = dependencies;
    return asEditor(dependencies, request, async ({ catalogue }) => {
      if (request.header('if-match') === undefined && request.header('if-none-match') === undefined)
        throw new PreconditionRequiredError({
          message: 'The request has neither If-Match nor If-None-Match',
        });
      const requireExpected = expectedBy(request);
      const event = request.body;
      if (event.id !== request.path.event_id)
        throw new BadRequestError({
          issues: [{ path: 'event_id', message: 'Must be the event of the path' }],
        });
      const { stored, isCreated } = await putEvent(
        { ...dependencies, catalogue },
        { event, signing, requireExpected },
      );
      return eventAnswer(dependencies, stored, { isCreated });
    });
  };

export const deleteHandler =
  (dependencies: Dependencies) =>
  async (request: OneRequest): Promise<HttpResponse> => {
    const { clock } = dependencies;
    return asEditor(dependencies, request, async ({ catalogue }) => {
      const { id } = requireEventId(request);
      const requireExpected = expectedBy(request);
      await despiteOthers(dependencies, () => deleteEvent({ catalogue, clock }, { id, requireExpected }));
      return { status: 204 };
    });
  };

export const setStatusHandler =
  (dependencies: Dependencies) =>
  async (request: OneRequest<StatusRequest>): Promise<HttpResponse> => {
    const { clock } = dependencies;
    return asEditor(dependencies, request, async ({ catalogue }) => {
      const { id } = requireEventId(request);
      const requireExpected = expectedBy(request);
      const { status } = request.body;
      const { stored } = await despiteOthers(dependencies, () =>
        setEventStatus({ catalogue, clock }, { id, status, requireExpected }),
      );
      return eventAnswer(dependencies, stored);
    });
  };

export const listHandler =
  (dependencies: Dependencies) =>
  async ({
    apiKeyId,
    query,
    addresses,
  }: HttpRequest<undefined, ListCatalogueQuery, undefined>): Promise<HttpResponse> => {
    const { applications, readCursorSecret, clock } = dependencies;
    const [, secret] = await Promise.all([callingEditor(applications, apiKeyId), readCursorSecret()]);
    return pageAnswer({
      query,
      scope: { list: 'ott-catalogue', filters: {} },
      secret,
      url: `${addresses.base}${listCatalogueOperation.documentedRoute}`,
      read: (page) => listCatalogue(dependencies, page),
      present: (event) => catalogueEventAnswer(event, clock()),
    });
  };
