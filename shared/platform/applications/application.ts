import * as z from 'zod';

/** A customer's application: its API keys, its audience for notifications, and its rules for viewers. */
export const applicationSchema = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Lower-case letters, digits and hyphens, at most 63 characters'),
  name: z.string().min(1).max(128),
  /** API Gateway's ids of the application's keys; never the keys themselves. */
  apiKeyIds: z.array(z.string().min(1)).max(20),
  /** For each key that is being replaced, by key id: when it expires (ISO 8601). Functions refuse an expired key. */
  keyEnds: z.record(z.string(), z.iso.datetime()).optional(),
  clientIds: z.array(z.string().min(1).max(256)).max(20),
  /**
   * Whether the application may read the data of all users or only of linked users. It is notified of changes to the
   * same users.
   */
  audience: z.enum(['all', 'linked']),
  /**
   * Only an editor may change the catalogue of events, and may do nothing else: it has no clients, users, contracts or
   * endpoints. @default a customer's application
   */
  kind: z.literal('editor').optional(),
  tier: z.string().min(1),
  limits: z.object({
    contractsPerDay: z.int().min(0),
    mintsPerDay: z.int().min(0),
  }),
  /**
   * The signer of the application's new collections. Only shared/nft interprets it. Absent before the first collection.
   */
  signer: z.string().optional(),
  /** The origins of the pages on which the application's users link wallets. Absent if they cannot link wallets. */
  wallets: z.object({ origins: z.array(z.string()) }).optional(),
  /** The application's settings for OTT events. Only shared/ott interprets them. */
  ott: z.record(z.string(), z.unknown()),
  /** Rises with each write. `save` fails if the application was written after this version was read. */
  version: z.int().min(1),
});

export type Application = Omit<z.output<typeof applicationSchema>, 'audience' | 'kind'> & {
  /** `later`: a kind that only a later release knows. No call accepts its keys. */
  readonly kind?: z.output<typeof applicationSchema>['kind'] | 'later';
  /** `later`: an audience that only a later release knows. No user is in it. */
  readonly audience: z.output<typeof applicationSchema>['audience'] | 'later';
};

export const hasEnded = ({ keyEnds }: Pick<Application, 'keyEnds'>, keyId: string, now: number): boolean => {
  const end = keyEnds?.[keyId];
  return end !== undefined && Date.parse(end) <= now;
};
