import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exchange, recordExchanges } from '../../support/platform/release-exchanges.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const kept: readonly Exchange[] = JSON.parse(
  readFileSync(new URL('last-release.json', import.meta.url), 'utf8'),
);

describe('customers of the last release who use nothing new', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem({ arguments: ['--empty'] });
  });
  afterAll(() => system?.dispose());

  it('get responses with the same bytes as from that release', async () => {
    const answers = await recordExchanges(system);

    expect(answers).toEqual(kept);
  });
});
