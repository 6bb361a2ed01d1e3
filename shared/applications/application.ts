import * as z from 'zod';

/** A customer's application: who calls with its keys, who hears of users' changes, and whose rules apply to viewers. */
export const applicationSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Small letters, digits and hyphens, 63 at most'),
  name: z.string().min(1).max(128),
  /** API Gateway's ids of its keys; never the keys themselves. */
  apiKeyIds: z.array(z.string().min(1)).max(20),
  /** When keys end that are being replaced, by their id: ISO 8601. Functions refuse them from then on. */
  keyEnds: z.record(z.string(), z.iso.datetime()).optional(),
  /** OIDC clients whose tokens belong to this application. */
  clientIds: z.array(z.string().min(1).max(256)).max(20),
  /** Which users it may read and hear of: all, or those linked to it. */
  audience: z.enum(['all', 'linked']),
  /** The usage plan of its keys. */
  tier: z.string().min(1),
  limits: z.object({
    contractsPerDay: z.int().min(0),
    mintsPerDay: z.int().min(0),
  }),
  /** The signer of its new collections, interpreted only by shared/nft; none before its first collection. */
  signer: z.string().optional(),
  /** Where its users link wallets: the origins of its pages. Without them they cannot. */
  wallets: z.object({ origins: z.array(z.string()) }).optional(),
  /** Its settings for OTT events, interpreted only by shared/ott. */
  ott: z.record(z.string(), z.unknown()),
  /** Rises with each write; a write names the version it read. */
  version: z.int().min(1),
});

export type Application = z.output<typeof applicationSchema>;

/** Whether a key of the application has reached its end. */
export const hasEnded = ({ keyEnds }: Pick<Application, 'keyEnds'>, keyId: string, now: number): boolean => {
  const end = keyEnds?.[keyId];
  return end !== undefined && Date.parse(end) <= now;
};
