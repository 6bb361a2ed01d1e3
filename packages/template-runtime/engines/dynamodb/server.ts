import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request } from 'undici';
import { startChild } from '../../processes/child-process.ts';
import { addressUnreachableByPages } from '../../processes/unreachable-by-pages.ts';

export interface DatabaseServer {
  readonly endpoint: string;
  readonly nativeRegion: string;
  /** The SQLite file, if the server is the embedded one. */
  readonly databaseFile?: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly stateDirectory: string;
  readonly onUnexpectedExit: (reason: string) => void;
}

/**
 * Starts `dynoxide`, which stores all tables in one SQLite file. The file survives a kill at any instant. dynoxide
 * answers pages of any site, so it listens where no page can call it.
 */
export const embeddedServer = async ({
  stateDirectory,
  onUnexpectedExit,
}: EmbeddedOptions): Promise<DatabaseServer> => {
  const { host, port } = await addressUnreachableByPages();
  const endpoint = `http://${host}:${port}`;
  const databaseFile = join(stateDirectory, 'dynamodb', 'tables.db');
  mkdirSync(join(stateDirectory, 'dynamodb'), { recursive: true });

  const child = await startChild({
    name: 'dynamodb',
    command: embeddedBinary(),
    arguments: ['--host', host, '--port', String(port), '--db-path', databaseFile],
    stateDirectory,
    isReady: () => answers(endpoint),
    onUnexpectedExit,
  });
  keepStreamsFast(databaseFile);
  return { endpoint, nativeRegion: 'dynoxide', databaseFile, stop: () => child.stop(2_000) };
};

/** DynamoDB Local uses `ddblocal` as the Region of ARNs, and accepts no other Region in the ARNs of streams. */
export const externalServer = async (endpoint: string): Promise<DatabaseServer> => {
  if (!(await answers(endpoint))) throw new Error(`no DynamoDB responds at ${endpoint} (DYNAMODB_ENDPOINT)`);
  return { endpoint, nativeRegion: 'ddblocal', stop: () => Promise.resolve() };
};

/** Any HTTP status shows that the server runs. */
const answers = async (endpoint: string): Promise<boolean> => {
  try {
    const { body } = await request(endpoint, { signal: AbortSignal.timeout(2_000) });
    await body.dump();
    return true;
  } catch {
    return false;
  }
};

const embeddedBinary = (): string => {
  const name = `@dynoxide/${process.platform}-${process.arch}/dynoxide`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `${name} is not installed on this platform: start DynamoDB Local and set DYNAMODB_ENDPOINT to its address`,
      { cause },
    );
  }
};

/**
 * Adds an index and a trigger to dynoxide's log of stream records. Without the index, each write would scan all records
 * for the last sequence number. The trigger prevents the deletion of each table's last record. Without that record,
 * sequence numbers would start again at 1, which is lower than the readers' positions.
 */
const keepStreamsFast = (databaseFile: string): void => {
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 });
  try {
    database.exec(`
      CREATE INDEX IF NOT EXISTS runtime_stream_position
        ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
      CREATE TRIGGER IF NOT EXISTS runtime_keep_last BEFORE DELETE ON _stream_records
        WHEN CAST(OLD.sequence_number AS INTEGER) =
          (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = OLD.table_name)
        BEGIN SELECT RAISE(IGNORE); END;`);
  } finally {
    database.close();
  }
};
