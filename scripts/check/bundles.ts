import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Findings } from './command.ts';
import { readTemplate } from './template.ts';

/** Every kilobyte is read and parsed at a cold start; the DynamoDB document client alone is 338 KB. */
const budgets = { withDynamoDb: 480_000, without: 140_000 };

/** The name of DynamoDB's wire protocol, which every bundle of its client holds. */
const dynamoDbClient = 'DynamoDB_20120810';

/** Words of zod's German, French and Japanese messages: one of them means that every locale is in the bundle. */
const foreignLocale =
  /Ungültige Eingabe|Entrée invalide|無効な入力|Ung\\xFCltige Eingabe|Entr\\xE9e invalide/;

const functionSchema = z.object({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
});

/** Holds the bundle of every function to its budget. */
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
      const budget = text.includes(dynamoDbClient) ? budgets.withDynamoDb : budgets.without;
      const name = `functions/${Environment.Variables.POWERTOOLS_SERVICE_NAME}`;
      return [
        ...(bundle.byteLength > budget
          ? [`${name}: ${kilobytes(bundle.byteLength)}, ${kilobytes(budget)} at most`]
          : []),
        ...(foreignLocale.test(text) ? [`${name}: holds zod's locales; import * as z from 'zod'`] : []),
      ];
    }),
  );
  return findings.flat();
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1_000)} KB`;
