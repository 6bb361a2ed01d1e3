import { Server } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod';
import { region } from '../account.ts';

const { dataDirectory } = z.object({ dataDirectory: z.string() }).parse(workerData);

// fauxqs listens on every interface and has no option for it; nothing local may be reachable from outside.
const listen = Server.prototype.listen;
Server.prototype.listen = function (this: Server, ...parameters: unknown[]) {
  const [options, ...rest] = parameters;
  const local = typeof options === 'object' && options !== null ? { ...options, host: '127.0.0.1' } : options;
  return Reflect.apply(listen, this, [local, ...rest]);
};

// With a write-ahead log, NORMAL keeps every commit through the death of the process; FULL, SQLite's default, would
// wait for the disk on each message as well, for the sake of power failures.
const execute = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, statement: string) {
  execute.call(this, statement);
  if (statement.startsWith('PRAGMA journal_mode')) execute.call(this, 'PRAGMA synchronous = NORMAL');
};

// To make a message visible again fauxqs writes nulls over its counts, which its own schema refuses; AWS keeps them.
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, statement: string) {
  const kept = ['approximate_receive_count', 'approximate_first_receive_timestamp'].reduce(
    (text, column) => text.replace(`${column} = ?`, `${column} = coalesce(?, ${column})`),
    statement,
  );
  return prepare.call(this, kept);
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
