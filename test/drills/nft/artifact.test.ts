import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import artifact from '../../../contracts/artifacts/collection.json' with { type: 'json' };
import { bytecodeModule, compileCollection, ownersOfModule } from '../../../contracts/compile.ts';

it('compiling the sources of the contracts produces exactly the committed artifacts', async () => {
  const compiled = compileCollection();

  expect(JSON.parse(JSON.stringify(compiled))).toEqual(artifact);
  const module = new URL('../../../contracts/artifacts/collection-bytecode.ts', import.meta.url);
  expect(await readFile(module, 'utf8')).toBe(bytecodeModule(compiled));
  const reader = new URL('../../../contracts/artifacts/owners-of-bytecode.ts', import.meta.url);
  expect(await readFile(reader, 'utf8')).toBe(ownersOfModule());
});
