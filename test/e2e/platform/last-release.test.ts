import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exchange, recordExchanges } from '../../support/platform/release-exchanges.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const kept: readonly Exchange[] = JSON.parse(
  readFileSync(new URL('last-release.json', import.meta.url), 'utf8'),
);

/** A text for people, which now also names what a destination can be besides an address. */
const added = ', or an application_user_sub: 32 hexadecimal digits';

describe('customers of the last release who use nothing new', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem({ arguments: ['--empty'] });
  });
  afterAll(() => system?.dispose());

  it('get responses with the same bytes as from that release', async () => {
    const answers = await recordExchanges(system);

    expect(answers.map((each) => ({ ...each, text: each.text.replace(added, '') }))).toEqual(kept);
  });
});
