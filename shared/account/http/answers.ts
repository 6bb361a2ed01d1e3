import * as z from 'zod';
import { millisecondsOf } from '../../platform/time/date-time.ts';
import { keptThings } from '../kept.ts';
import { type ErasurePreview, tokensCountedAtMost } from '../preview-erasure.ts';

const counted = `At most ${tokensCountedAtMost.toLocaleString('en')} are counted`;

const exampleApplication = { name: 'Arena', is_notified: true, reserved_tokens: 2, claimed_tokens: 1 };

const erasureApplicationSchema = z
  .object({
    name: z.string(),
    is_notified: z.boolean().describe('Whether the application hears of the erasure'),
    reserved_tokens: z
      .int()
      .describe(`How many reserved tokens the application can give to others. ${counted}`),
    claimed_tokens: z
      .int()
      .describe(`How many claimed tokens stay in the wallets that have them. ${counted}`),
  })
  .meta({
    id: 'ErasureApplication',
    description: 'What an erasure means for an application.',
    examples: [exampleApplication],
  });

const erasureRemainderSchema = z
  .object({
    what: z.enum(keptThings).describe('The guide says what it is. There may be others later'),
    days: z.int().nullable().describe('For at most so many days. Null: the service does not delete it'),
  })
  .meta({
    id: 'ErasureRemainder',
    description: 'Something that an erasure does not delete.',
    examples: [{ what: 'removal', days: 32 }],
  });

export const erasurePreviewSchema = z
  .object({
    registered_at: z.iso.datetime().describe('When the user registered'),
    user_data: z.array(z.string()).describe('The keys of the data that goes'),
    user_agreements: z.int().describe('How many agreements go'),
    wallets: z.int().describe('How many linked wallets are unlinked'),
    applications: z
      .array(erasureApplicationSchema)
      .describe('The applications that know the user, or would be notified'),
    stays: z.array(erasureRemainderSchema).describe('What the erasure does not delete'),
  })
  .meta({
    id: 'ErasurePreview',
    description: 'What an erasure of the user would delete, and what would stay.',
    examples: [
      {
        registered_at: '2026-05-04T08:30:00.000Z',
        user_data: ['email'],
        user_agreements: 1,
        wallets: 1,
        applications: [exampleApplication],
        stays: [
          { what: 'removal', days: 32 },
          { what: 'tokens_on_chain', days: null },
        ],
      },
    ],
  });

export const erasurePreviewAnswer = (preview: ErasurePreview): z.output<typeof erasurePreviewSchema> => ({
  registered_at: new Date(millisecondsOf(preview.registeredAt)).toISOString(),
  user_data: [...preview.dataKeys],
  user_agreements: preview.agreements,
  wallets: preview.wallets,
  applications: preview.applications.map(({ name, isNotified, reservedTokens, claimedTokens }) => ({
    name,
    is_notified: isNotified,
    reserved_tokens: reservedTokens,
    claimed_tokens: claimedTokens,
  })),
  stays: preview.kept.map(({ what, days = null }) => ({ what, days })),
});
