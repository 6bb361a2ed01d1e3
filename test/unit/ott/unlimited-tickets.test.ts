import { describe, expect, it } from 'vitest';
import { unlimitedTickets } from '../../../operator/ott/tickets/unlimited-tickets.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';

const collection: Address = `0x${'7'.repeat(40)}`;
const foreign: Address = `0x${'8'.repeat(40)}`;
const contracts = {
  applicationOf: async (address: Address) => (address === collection ? 'arena' : undefined),
};
const withTickets = (id: string, contractAddress: Address, status: 'LIVE' | 'UPCOMING' = 'LIVE') =>
  anEvent({ id, status, access: 'paid', tickets: [{ contractAddress }] });
const events = [
  withTickets('gala', collection),
  withTickets('guest-night', foreign, 'UPCOMING'),
  anEvent({ id: 'final', access: 'paid' }),
];

describe('the warnings about tickets without a limit of streams', () => {
  it("name events for which neither the application nor the ticket's application has a limit", async () => {
    const applications = [
      anOttApplication({ streams_at_once: 2 }, 'arena'),
      anOttApplication({}, 'portal'),
      anOttApplication({ rules: [{ id: 'free', enabled: true, access: 'free' }] }, 'free-only'),
      anOttApplication({ rules: [{ id: 'live', enabled: true, statuses: ['LIVE'] }] }, 'live-only'),
    ];

    const warnings = await unlimitedTickets({ applications, contracts }, events);

    expect(warnings).toEqual([
      expect.stringMatching(/^Through portal, .*: guest-night$/),
      expect.stringMatching(/^Through live-only, .*: guest-night$/),
    ]);
  });

  it('name every visible event with tickets when no application has a limit', async () => {
    const applications = [anOttApplication({}, 'arena'), anOttApplication({}, 'portal')];

    const warnings = await unlimitedTickets({ applications, contracts }, events);

    expect(warnings).toEqual([
      expect.stringMatching(/^Through arena, .*: gala, guest-night$/),
      expect.stringMatching(/^Through portal, .*: gala, guest-night$/),
    ]);
  });
});
