import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Makes all that the database's recovery has recorded older, as if this time had passed since.
 *
 * @public
 */
export const olderRecovery = (stateDirectory: string, milliseconds: number): void => {
  const database = new DatabaseSync(join(stateDirectory, 'dynamodb', 'tables.db'), { timeout: 5_000 });
  try {
    database.exec(`BEGIN IMMEDIATE;
      UPDATE runtime_recovery SET since = since - ${milliseconds};
      UPDATE runtime_journal SET at = at - ${milliseconds};
      COMMIT;`);
  } finally {
    database.close();
  }
};
