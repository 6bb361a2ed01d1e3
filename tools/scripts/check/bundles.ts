import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Findings } from './command.ts';
import { readTemplate } from './template.ts';

/**
 * The largest size of each kind of bundle. Bundles have budgets because every kilobyte is read and parsed at a cold
 * start. The first mark that a bundle contains decides its budget. Most marks are a service's name in its wire
 * protocol, which shows that the bundle contains this service's client.
 */
const budgets = [
  // Bundles with the clients of KMS, secrets and the database, the arithmetic of secp256k1, and the chain's encodings.
  { mark: 'TrentService', bytes: 610_000 },
  // Bundles with the clients of secrets, RPC endpoints and the database, and code that signs streams or verifies a
  // wallet's signature.
  { mark: 'eth_call', bytes: 495_000 },
  { mark: 'AmazonSimpleNotificationService', bytes: 440_000 },
  // Among them those that read a user's tokens with their histories, for which they need most adapters of the database.
  { mark: 'DynamoDB_20120810', bytes: 475_000 },
  // The bundle with the OpenAPI document.
  { mark: 'openapi:"3.1', bytes: 430_000 },
  // Bundles that use only a queue.
  { mark: 'AmazonSQS', bytes: 250_000 },
  { mark: '', bytes: 140_000 },
];

/** Words of zod's German, French and Japanese messages. If a bundle contains one of them, it contains every locale. */
const foreignLocale =
  /Ungültige Eingabe|Entrée invalide|無効な入力|Ung\\xFCltige Eingabe|Entr\\xE9e invalide/;

const functionSchema = z.object({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
});

export async function checkBundles(source: { stage: string; assembly: string }): Promise<Findings> {
  const { Resources } = await readTemplate(source);
  const functions = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => functionSchema.parse(Properties));
  const findings = await Promise.all(
    functions.map(async ({ Code, Environment }) => {
      const bundle = await readFile(
        join(source.assembly, `asset.${Code.S3Key.replace(/\.zip$/, '')}`, 'index.mjs'),
      );
      const text = bundle.toString('utf8');
      const budget = budgets.find(({ mark }) => text.includes(mark))?.bytes ?? 0;
      const name = `functions/${Environment.Variables.POWERTOOLS_SERVICE_NAME}`;
      return [
        ...(bundle.byteLength > budget
          ? [`${name}: ${kilobytes(bundle.byteLength)}, but at most ${kilobytes(budget)} are allowed`]
          : []),
        ...(foreignLocale.test(text) ? [`${name}: contains zod's locales; import * as z from 'zod'`] : []),
      ];
    }),
  );
  return findings.flat();
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1_000)} KB`;
