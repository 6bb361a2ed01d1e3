import type { DocumentClient } from '../../shared/platform/store/client.ts';
import type { Store } from './store.ts';

/** A client of the store whose calls meet no faults. It stores a world's initial data, and reads what is checked. */
export const plainClient = (store: Store): DocumentClient => {
  const call =
    (operation: Exclude<keyof DocumentClient, `${string}Once` | 'pause'>) => async (input: object) =>
      (store[operation] as (input: object) => unknown)(input);
  const client = {
    get: call('get'),
    put: call('put'),
    update: call('update'),
    delete: call('delete'),
    query: call('query'),
    scan: call('scan'),
    batchGet: call('batchGet'),
    batchWrite: call('batchWrite'),
    transactWrite: call('transactWrite'),
    updateOnce: call('update'),
    putOnce: call('put'),
    transactWriteOnce: call('transactWrite'),
    pause: async () => {},
  } satisfies Record<keyof DocumentClient, unknown>;
  return client as unknown as DocumentClient;
};
