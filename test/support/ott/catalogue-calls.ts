import {
  type Dependencies,
  deleteHandler,
  getHandler,
  listHandler,
  putHandler,
  setStatusHandler,
} from '../../../functions/ott/edit-catalogue/handler.ts';
import {
  deleteCatalogueEventOperation,
  getCatalogueEventOperation,
  listCatalogueOperation,
  putCatalogueEventOperation,
  setCatalogueStatusOperation,
} from '../../../shared/ott/http/catalogue-operations.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEditCounts } from '../../../shared/ott/store/edit-counts.ts';
import { newLife } from '../../../shared/ott/store/event-items.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { logger } from '../../../shared/platform/logger.ts';
import type { Table } from '../../../shared/platform/store/client.ts';
import { jitteredPause } from '../../../shared/platform/time/backoff.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { anApplication } from '../platform/applications.ts';
import { type ApiEventProps, aContext, anApiEvent } from './api-event.ts';
import type { Answer } from './calls.ts';

// The tests provoke many refusals. Other tests cover what is logged about a refusal.
logger.setLogLevel('SILENT');

const applications = [
  anApplication({ id: 'newsroom', kind: 'editor', apiKeyIds: ['editor-key'], clientIds: [] }),
  anApplication({ id: 'shop', apiKeyIds: ['customer-key'] }),
];

/** The tests race requests against each other, also on a busy machine. */
const patient = aContext({ getRemainingTimeInMillis: () => 120_000 });

export interface CatalogueCallsProps extends Partial<Omit<Dependencies, 'catalogueOf' | 'applications'>> {
  /** What is done to the catalogue before a request works with it. @default nothing */
  readonly through?: (catalogue: Catalogue) => Catalogue;
  /** The editor's id in the history. @default the id of the application */
  readonly key?: string;
}

export interface CatalogueCalls {
  get(id: string, request?: ApiEventProps): Promise<Answer>;
  /** Creates the event if there is no `If-Match`. */
  put(id: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  remove(id: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  setStatus(id: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  list(query?: Record<string, string>): Promise<Answer>;
}

/** The calls of an editor as Lambda runs them, on a table of events and a stage that signs with cookies. */
export const catalogueCalls = (
  table: Table,
  { through = (catalogue) => catalogue, key = 'editor-key', ...given }: CatalogueCallsProps = {},
): CatalogueCalls => {
  const dependencies: Dependencies = {
    applications: {
      findByApiKeyId: async (id) => applications.find(({ apiKeyIds }) => apiKeyIds.includes(id)),
    },
    catalogueOf: (by, tell) =>
      through(dynamoDbCatalogue(table, { by, tell, ...(given.clock && { clock: given.clock }) })),
    editCounts: dynamoDbEditCounts(table),
    logger,
    events: dynamoDbEvents(table),
    holdings: { notErc721: async () => [] },
    clock: systemClock,
    pause: jitteredPause,
    newLife,
    signing: 'cookies',
    readCursorSecret: async () => 'a secret of at least thirty-two letters',
    ...given,
  };
  const functions = {
    get: operationFunction(getCatalogueEventOperation, getHandler(dependencies)),
    put: operationFunction(putCatalogueEventOperation, putHandler(dependencies)),
    remove: operationFunction(deleteCatalogueEventOperation, deleteHandler(dependencies)),
    setStatus: operationFunction(setCatalogueStatusOperation, setStatusHandler(dependencies)),
    list: operationFunction(listCatalogueOperation, listHandler(dependencies)),
  };
  const call = async (name: keyof typeof functions, request: ApiEventProps): Promise<Answer> => {
    const result = await functions[name](anApiEvent({ apiKeyId: key, ...request }), patient);
    return {
      status: result.statusCode,
      headers: result.headers ?? {},
      multiValueHeaders: {},
      text: result.body,
      body: result.body === '' ? undefined : JSON.parse(result.body),
    };
  };
  return {
    get: (event_id, request = {}) => call('get', { ...request, path: { event_id } }),
    put: (event_id, body, headers = { 'if-none-match': '*' }) =>
      call('put', { method: 'PUT', path: { event_id }, body, headers }),
    remove: (event_id, headers = {}) => call('remove', { method: 'DELETE', path: { event_id }, headers }),
    setStatus: (event_id, body, headers = {}) =>
      call('setStatus', { method: 'PUT', path: { event_id }, body, headers }),
    list: (query = {}) => call('list', { query }),
  };
};

export const ifMatch = ({ headers }: Pick<Answer, 'headers'>): Readonly<Record<string, string>> => ({
  'if-match': String(headers.etag),
});
