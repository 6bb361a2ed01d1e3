import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { type Described, routesOf } from './routes.ts';

const document = new URL('../../../docs/openapi.json', import.meta.url);
const described: Described = JSON.parse(readFileSync(document, 'utf8'));

export const generated = async (): Promise<Readonly<Record<string, string>>> => ({
  // Without `defaultNonNullable: false`, a field of a request that has a default would be required.
  'schema.ts': astToString(await openapiTS(document, { defaultNonNullable: false, alphabetize: true })),
  'routes.ts': `${[
    '/** By path, then method: which API it belongs to, how a caller is known, and whether it takes an idempotency key. */',
    `export const routes = ${JSON.stringify(routesOf(described), null, 2)} as const;`,
  ].join('\n')}\n`,
});

export const generatedFolder = new URL('../src/generated/', import.meta.url);

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generated())) {
    writeFileSync(new URL(name, generatedFolder), text);
  }
}
