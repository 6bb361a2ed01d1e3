import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exchange, recordExchanges } from '../../support/platform/release-exchanges.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const kept: readonly Exchange[] = JSON.parse(
  readFileSync(new URL('last-release.json', import.meta.url), 'utf8'),
);

/**
 * Messages to developers that this release has changed on purpose, as it writes them and as the last release did. Only
 * responses to requests that are refused have them.
 */
const changedMessages: readonly (readonly [pattern: RegExp, before: string])[] = [
  [/Unknown field\. The (only field is|fields are) [\w, ]+/g, 'Unknown field'],
];

const asBefore = ({ text, ...exchange }: Exchange): Exchange => ({
  ...exchange,
  text:
    exchange.status === 400
      ? changedMessages.reduce((changed, [pattern, before]) => changed.replace(pattern, before), text)
      : text,
});

describe('customers of the last release who use nothing new', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem({ arguments: ['--empty'] });
  });
  afterAll(() => system?.dispose());

  it('get responses with the same bytes as from that release', async () => {
    const answers = await recordExchanges(system);

    expect(answers.map(asBefore)).toEqual(kept);
  });
});
