import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generated, generatedFolder } from '../../build/generate.ts';

it('the generated types and routes match the OpenAPI document', async () => {
  for (const [name, text] of Object.entries(await generated())) {
    const committed = readFileSync(new URL(name, generatedFolder), 'utf8');
    expect(committed === text, `run \`npm run openapi\` and commit ${name}`).toBe(true);
  }
});
