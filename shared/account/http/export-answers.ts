import * as z from 'zod';
import { checksummed } from '../../chain/hex.ts';
import { historyAnswer, tokenHistorySchema } from '../../nft/http/history-answers.ts';
import { userTokenAnswer, userTokenSchema } from '../../nft/http/user-operations.ts';
import type { ViewerSessions } from '../../ott/sessions/viewer-sessions.ts';
import { millisecondsOf } from '../../platform/time/date-time.ts';
import { userDataAnswer, userDataSchema } from '../../users/http/answers.ts';
import { applicationUserSub } from '../../users/http/requests.ts';
import { walletAnswer, walletSchema } from '../../wallets/http/answers.ts';
import type { ExportedAccount, ExportedWallet } from '../export/export-account.ts';
import type { ExportedToken } from '../export/export-tokens.ts';
import type { ExportPage } from '../export/export-user.ts';

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timesSchema = z.array(z.iso.datetime());
const nameSchema = z.string().nullable().describe('Null if the application was removed');

const exampleApplication = {
  name: 'The football club',
  application_user_sub: 'b0c1d2e3f405162738495a6b7c8d9e0f',
  is_linked: true,
};
const exampleWallet = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  linked_at: '2026-05-29T09:01:12.000Z',
  proven_at: '2026-05-29T09:01:02.000Z',
  gives_access_from: '2026-05-29T09:01:12.000Z',
};
const exampleSessions = {
  playing: [
    {
      session: '6f1e0c9d-2b3a-4867-9c0e-1d2f3a4b5c6d',
      event_id: 'cup-final',
      applications: ['The football club'],
      began_at: '2026-11-20T19:58:04.000Z',
      renewed_at: '2026-11-20T20:03:04.000Z',
      ends_at: '2026-11-20T20:08:04.000Z',
    },
  ],
  taken_over: [
    { session: '0c9d2b3a-4867-4c0e-9d2f-3a4b5c6d6f1e', refused_until: '2026-11-20T20:58:04.000Z' },
  ],
  ended_early_at: [],
  moved_at: [],
  repeated_at: [],
  today: {
    day: '2026-11-20',
    applications: ['The football club'],
    begun: 1,
    ended: 0,
    taken_over: 0,
    refused: 0,
    addresses: 1,
  },
};
const exampleCount = { what: 'changes', since: '2026-11-20T09:15:02.123Z', count: 1 };
const exampleToken = {
  application: 'The football club',
  contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  id: '7',
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
      to: null,
    },
  ],
};

const exportedWalletSchema = z
  .strictObject({
    ...walletSchema.shape,
    proven_at: z.iso
      .datetime()
      .optional()
      .describe('When the message was issued with whose signature the wallet was linked last'),
    gives_access_from: z.iso
      .datetime()
      .describe(
        'From when on the wallet’s tickets give access. Later than `linked_at` if it was another user’s before',
      ),
  })
  .meta({
    id: 'ExportedWallet',
    description: 'A wallet that is linked to the user.',
    examples: [exampleWallet],
  });

const exportedApplicationSchema = z
  .strictObject({
    name: nameSchema,
    application_user_sub: applicationUserSub,
    is_linked: z.boolean().describe('Whether the user has used the application'),
  })
  .meta({
    id: 'ExportedApplication',
    description: 'An application that has an identifier for the user.',
    examples: [exampleApplication],
  });

const exportedSessionSchema = z
  .strictObject({
    session: z.string(),
    event_id: z.string(),
    applications: z.array(nameSchema).describe('Those that count the stream'),
    began_at: z.iso.datetime(),
    renewed_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
  })
  .meta({
    id: 'ExportedSession',
    description: 'A stream that the user plays.',
    examples: exampleSessions.playing,
  });

const exportedTakeoverSchema = z.strictObject({ session: z.string(), refused_until: z.iso.datetime() }).meta({
  id: 'ExportedTakeover',
  description: 'A session that another one has ended.',
  examples: exampleSessions.taken_over,
});

const exportedDaySchema = z
  .strictObject({
    day: z.iso.date().describe('UTC. An earlier one, if there was no session since'),
    applications: z.array(nameSchema).describe('Those that counted streams'),
    begun: z.int(),
    ended: z.int(),
    taken_over: z.int(),
    refused: z.int(),
    addresses: z.int().describe('How many addresses were seen. Only a hash of each is stored'),
  })
  .meta({
    id: 'ExportedDay',
    description: 'How many sessions the user had on a day.',
    examples: [exampleSessions.today],
  });

const exportedSessionsSchema = z
  .strictObject({
    playing: z.array(exportedSessionSchema),
    taken_over: z.array(exportedTakeoverSchema),
    ended_early_at: timesSchema,
    moved_at: timesSchema.describe('When sessions went on to another event'),
    repeated_at: timesSchema.describe('When the first call of a session was repeated'),
    today: exportedDaySchema,
  })
  .meta({
    id: 'ExportedSessions',
    description:
      'The streams that the user plays, and what is counted of sessions. Only applications that limit how many streams a viewer plays count sessions.',
    examples: [exampleSessions],
  });

const exportedCountSchema = z
  .strictObject({
    what: z.enum(['changes', 'erasures', 'wallet_challenges']),
    since: z.iso.datetime(),
    count: z.int(),
  })
  .meta({ id: 'ExportedCount', description: 'What a limit counts of the user.', examples: [exampleCount] });

const { contract_address, id, ...tokenFields } = userTokenSchema.shape;

const exportedTokenSchema = z
  .strictObject({
    application: nameSchema,
    contract_address,
    id,
    ...z.object(tokenFields).partial().shape,
    ...tokenHistorySchema.shape,
  })
  .meta({
    id: 'ExportedToken',
    description:
      'A token that is or was reserved for the user, with the user’s own part of its history. A token that the user no longer has shows nothing else.',
    examples: [exampleToken],
  });

export const exportPageSchema = z
  .strictObject({
    user_sub: z.string().optional(),
    registered_at: z.iso.datetime().optional(),
    changed_at: z.iso.datetime().optional().describe('When the data was changed last'),
    ...userDataSchema.partial().shape,
    applications: z.array(exportedApplicationSchema).optional(),
    wallets: z.array(exportedWalletSchema).optional(),
    sessions: exportedSessionsSchema
      .nullable()
      .optional()
      .describe('Null if no session was counted today or yesterday'),
    counts: z.array(exportedCountSchema).optional(),
    tokens: z.array(exportedTokenSchema),
  })
  .meta({
    id: 'UserExport',
    description:
      'A page of all that is stored of a user. The first page has every field. Later pages have only further `tokens`.',
    examples: [
      {
        user_sub: 'ana',
        registered_at: '2026-05-04T08:30:00.000Z',
        changed_at: '2026-11-20T09:15:02.123Z',
        user_data: { email: 'ana@example.com' },
        user_agreements: [],
        applications: [exampleApplication],
        wallets: [exampleWallet],
        sessions: exampleSessions,
        counts: [exampleCount],
        tokens: [exampleToken],
      },
    ],
  });

type Names = ExportPage['names'];

const nameOf = (names: Names, applicationId: string): string | null => names.get(applicationId) ?? null;

const walletExport = ({ provenAt, opensFrom, ...wallet }: ExportedWallet) => ({
  ...walletAnswer({ ...wallet, opensFrom }),
  ...(provenAt !== undefined && { proven_at: time(provenAt) }),
  gives_access_from: time(opensFrom),
});

const sessionsExport = (
  { slots, takenOver, freedAt, movedAt, repeatedAt, today }: ViewerSessions,
  names: Names,
): z.output<typeof exportedSessionsSchema> => {
  const namesOf = (ids: readonly string[]) => ids.map((each) => nameOf(names, each));
  return {
    playing: slots.map((slot) => ({
      session: slot.sessionId,
      event_id: slot.eventId,
      applications: namesOf(slot.applicationIds),
      began_at: time(slot.beganAt),
      renewed_at: time(slot.leasedAt),
      ends_at: time(slot.endsAt),
    })),
    taken_over: takenOver.map(({ sessionId, until }) => ({ session: sessionId, refused_until: time(until) })),
    ended_early_at: freedAt.map(time),
    moved_at: movedAt.map(time),
    repeated_at: repeatedAt.map(time),
    today: {
      day: today.day,
      applications: namesOf(today.applicationIds),
      begun: today.begun,
      ended: today.ended,
      taken_over: today.takenOver,
      refused: today.refused,
      addresses: today.addresses.length,
    },
  };
};

const accountExport = (
  { user, wallets, sessions, counts }: ExportedAccount,
  { subs, names }: Pick<ExportPage, 'subs' | 'names'>,
) => ({
  user_sub: user.userSub,
  registered_at: time(millisecondsOf(user.registeredAt)),
  changed_at: time(millisecondsOf(user.changedAt)),
  ...userDataAnswer(user),
  applications: subs.map(({ applicationId, applicationUserSub: sub, isLinked }) => ({
    name: nameOf(names, applicationId),
    application_user_sub: sub,
    is_linked: isLinked,
  })),
  wallets: wallets.map(walletExport),
  sessions: sessions === undefined ? null : sessionsExport(sessions, names),
  counts: counts.map(({ what, since, count }) => ({ what, since: time(since), count })),
});

const tokenExport = (
  { key, nft, isOwn, history }: ExportedToken,
  names: Names,
): z.output<typeof exportedTokenSchema> => ({
  application: nameOf(names, key.applicationId),
  contract_address: checksummed(key.contract),
  id: key.tokenId,
  // Whoever has the token now is nobody's business but theirs.
  ...(nft !== undefined && isOwn && userTokenAnswer(nft)),
  ...historyAnswer(history),
});

export const exportPageAnswer = (page: ExportPage): z.output<typeof exportPageSchema> => ({
  ...(page.account !== undefined && accountExport(page.account, page)),
  tokens: page.tokens.map((token) => tokenExport(token, page.names)),
});
