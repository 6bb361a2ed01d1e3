import { Server } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod';
import { followClock, forwardClock } from '../../clock.ts';
import { region } from '../account.ts';

const { dataDirectory, ahead } = z
  .object({ dataDirectory: z.string(), ahead: z.instanceof(Float64Array).optional() })
  .parse(workerData);

// For a message that is in flight or delayed, fauxqs stores the time when the message becomes visible. If the clock
// were set back, the message would become visible too late.
Date.now = forwardClock(Date.now.bind(Date));
if (ahead !== undefined) followClock(ahead);

// fauxqs always listens on every network interface, but local services must not be reachable from other machines.
const listen = Server.prototype.listen;
Server.prototype.listen = function (this: Server, ...parameters: unknown[]) {
  const [options, ...rest] = parameters;
  const local = typeof options === 'object' && options !== null ? { ...options, host: '127.0.0.1' } : options;
  return Reflect.apply(listen, this, [local, ...rest]);
};

/**
 * Databases with an open transaction. For those in `inOwn`, fauxqs itself began the transaction. For those in `inTurn`,
 * `beginTurn` began it, to combine the writes of one turn of the event loop.
 */
const inOwn = new WeakSet<DatabaseSync>();
const inTurn = new WeakSet<DatabaseSync>();

const execute = DatabaseSync.prototype.exec;

const commitTurn = (database: DatabaseSync): void => {
  if (inTurn.delete(database)) execute.call(database, 'COMMIT');
};

/**
 * Commits all writes that are made in one turn of the event loop together, before the response is sent. A message is
 * passed to all subscriptions in one turn. So even if the process dies, either all of them have it or none.
 */
const beginTurn = (database: DatabaseSync): void => {
  if (inOwn.has(database) || inTurn.has(database)) return;
  execute.call(database, 'BEGIN');
  inTurn.add(database);
  queueMicrotask(() => commitTurn(database));
};

// With a write-ahead log, `NORMAL` loses no commit when the process dies. `FULL`, SQLite's default, also survives a
// power failure, but waits for the disk on each message.
DatabaseSync.prototype.exec = function (this: DatabaseSync, statement: string) {
  commitTurn(this);
  execute.call(this, statement);
  if (statement === 'BEGIN') inOwn.add(this);
  if (statement === 'COMMIT' || statement === 'ROLLBACK') inOwn.delete(this);
  if (statement.startsWith('PRAGMA journal_mode')) execute.call(this, 'PRAGMA synchronous = NORMAL');
};

// When fauxqs makes a message visible again, it sets the message's receive count and first receive time to NULL, which
// its own schema refuses. AWS keeps both values.
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
  const kept = ['approximate_receive_count', 'approximate_first_receive_timestamp'].reduce(
    (adapted, column) => adapted.replace(`${column} = ?`, `${column} = coalesce(?, ${column})`),
    text,
  );
  const statement = prepare.call(this, kept);
  const run = statement.run.bind(statement) as (...values: unknown[]) => ReturnType<typeof statement.run>;
  const runInTurn = (...values: unknown[]) => {
    beginTurn(this);
    return run(...values);
  };
  return Object.assign(statement, { run: runInTurn });
};

const server = await startFauxqs({
  port: 0,
  logger: false,
  defaultRegion: region,
  dataDir: dataDirectory,
});

parentPort?.on('message', async () => {
  await server.stop();
  parentPort?.close();
});
parentPort?.postMessage({ port: server.port });
