import * as z from 'zod';
import { secretReader } from '../../platform/aws/secret-reader.ts';
import type { SecretsClient } from '../../platform/aws/secrets-client.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RpcUrls } from './rpc-endpoints.ts';

export const rpcUrlsSchema = z.object({ urls: z.array(z.url()).min(1) });

export const rpcSecret = (secret: {
  readonly client: SecretsClient;
  readonly secretId: string;
  /** @default systemClock */
  readonly clock?: Clock;
}): RpcUrls => secretReader({ ...secret, schema: rpcUrlsSchema });
