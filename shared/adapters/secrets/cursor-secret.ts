import * as z from 'zod';
import { secretsClient } from './client.ts';
import { type SecretReader, secretReader } from './secret-reader.ts';

/** What the cursors of lists are signed with. */
export const cursorSecret = (secretId: string): SecretReader<string> =>
  secretReader({
    client: secretsClient({ requestTimeoutMilliseconds: 2_000 }),
    secretId,
    schema: z.string().min(32),
  });
