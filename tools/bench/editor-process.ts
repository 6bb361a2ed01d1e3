import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { documentClientOf } from '../../shared/platform/store/client.ts';
import { catalogueCalls } from '../../test/support/ott/catalogue-calls.ts';
import { callAtRate, type Load } from './load.ts';

/**
 * Changes the events of a table as an editor does, while it is told to: a message names the table, an empty one ends the
 * load. Answers each message with what was answered since the last one.
 */
const [endpoint = '', perSecond = ''] = process.argv.slice(2);
const client = documentClientOf({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
});

const events = 500;
let writes = 0;

const editing = async (tableName: string): Promise<Load> => {
  const calls = catalogueCalls({ client, tableName });
  const stored = await dynamoDbCatalogue({ client, tableName }).findStored('event-0');
  if (stored === undefined) throw new Error(`${tableName} has no event-0`);
  return callAtRate(Number(perSecond), async () => {
    writes += 1;
    const id = `event-${writes % events}`;
    // An editor reads the event, and puts it back with another title. Every tenth call sets a status.
    if (writes % 10 === 0) {
      const { status } = await calls.setStatus(id, { status: writes % 20 === 0 ? 'VOD' : 'LIVE' });
      if (status !== 200) throw new Error(`A status was answered with ${status}`);
      return;
    }
    const read = await calls.get(id);
    if (read.status !== 200) throw new Error(`A GET was answered with ${read.status}`);
    const record = { ...(read.body as object), title: `Title ${writes}` };
    const { status, text } = await calls.put(id, record, { 'if-match': '*' });
    if (status !== 200) throw new Error(`A PUT was answered with ${status} ${text}`);
  });
};

let load: Load | undefined;
process.on('message', async (tableName: string) => {
  await load?.stop();
  const done = { answered: load?.answered() ?? 0, refused: load?.refused() ?? [] };
  load = tableName === '' ? undefined : await editing(tableName);
  process.send?.(done);
});
