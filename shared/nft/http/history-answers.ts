import * as z from 'zod';
import { checksummed } from '../../chain/hex.ts';
import { type History, type HistoryEntry, type Party, whats } from '../history/history-entry.ts';
import { historyEntriesAtMost } from '../history/token-history.ts';
import { applicationUserSubOf } from '../reservations/stand-in.ts';
import { statusSchema } from '../tokens/status.ts';

const historyEntrySchema = z
  .strictObject({
    at: z.iso.datetime().describe('UTC'),
    what: z
      .enum(whats)
      .describe(
        [
          '`reserved`: the token was reserved for the user `to`.',
          '`given`: your request gave it to another user.',
          '`claimed`: a transaction that mints it was signed, to the address `to`.',
          '`minted`: that transaction, or the mint of a token that was never reserved.',
          '`updated`: its metadata changed.',
          '`revoked`: it was revoked.',
          '`voided`, `unvoided`: it gave access to no event from then on, and again.',
        ].join(' '),
      ),
    from: z
      .string()
      .nullable()
      .optional()
      .describe('The user who had it. Null if the answer does not name the user. Absent if nobody had it'),
    to: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The user who got it, or the address in EIP-55 form to which it is minted. Null if the answer does not name the user. Absent if nobody got it, for example because the transaction failed',
      ),
    transaction_hash: z.string().optional().describe('Set if a transaction on the chain does it'),
    status: statusSchema
      .optional()
      .describe('The status of the transaction. Until it is final, `at` is when it was signed'),
  })
  .meta({
    id: 'TokenHistoryEntry',
    description: 'Something that happened to a token.',
    examples: [
      {
        at: '2026-11-21T18:00:12.345Z',
        what: 'given',
        from: 'b0c1d2e3f405162738495a6b7c8d9e0f',
        to: '0f9e8d7c6b5a49382716050403020100',
      },
    ],
  });

const knownFrom = z.iso
  .datetime()
  .nullable()
  .describe(
    `From when on nothing is missing. Null if the token may have been given away or void without a trace. Only the newest ${historyEntriesAtMost} entries are in the answer`,
  );

export const tokenHistorySchema = z
  .strictObject({
    known_from: knownFrom,
    history: z.array(historyEntrySchema).describe('Oldest first'),
  })
  .meta({
    id: 'TokenHistory',
    description: 'What happened to a token.',
    examples: [
      {
        known_from: '2026-11-20T09:15:04.456Z',
        history: [
          {
            at: '2026-11-20T09:15:04.456Z',
            what: 'reserved',
            to: 'b0c1d2e3f405162738495a6b7c8d9e0f',
          },
          {
            at: '2026-11-21T18:00:12.345Z',
            what: 'given',
            from: 'b0c1d2e3f405162738495a6b7c8d9e0f',
            to: '0f9e8d7c6b5a49382716050403020100',
          },
        ],
      },
    ],
  });

const partyText = (party: Party): string | null => {
  switch (party.kind) {
    case 'user':
      return applicationUserSubOf(party.standIn);
    case 'address':
      return checksummed(party.address);
    case 'somebody':
      return null;
  }
};

const timeText = (at: number): string => new Date(at).toISOString();

const entryAnswer = ({ at, what, from, to, transaction }: HistoryEntry) => ({
  at: timeText(at),
  what,
  ...(from !== undefined && { from: partyText(from) }),
  ...(to !== undefined && { to: partyText(to) }),
  ...(transaction !== undefined && { transaction_hash: transaction.hash, status: transaction.status }),
});

export const historyAnswer = ({ knownFrom, entries }: History): z.output<typeof tokenHistorySchema> => ({
  known_from: knownFrom === undefined ? null : timeText(knownFrom),
  history: entries.map(entryAnswer),
});
