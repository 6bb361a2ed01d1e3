import * as z from 'zod';
import { secretsClient } from './client.ts';
import { type SecretReader, secretReader } from './secret-reader.ts';

/** The key that signs the cursors of lists. */
export const cursorSecret = (secretId: string): SecretReader<string> =>
  secretReader({
    client: secretsClient({ requestTimeoutMilliseconds: 2_000 }),
    secretId,
    schema: z.string().min(32),
  });
