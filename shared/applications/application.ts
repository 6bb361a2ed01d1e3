import * as z from 'zod';

/** A customer's application: who calls with a key, whom users' changes are told to, whose rules viewers meet. */
export const applicationSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Small letters, digits and hyphens, 63 at most'),
  name: z.string().min(1).max(128),
  /** API Gateway's ids of its keys; never the keys themselves. */
  apiKeyIds: z.array(z.string().min(1)).max(20),
  /** OIDC clients whose tokens are this application's. */
  clientIds: z.array(z.string().min(1).max(256)).max(20),
  /** Whose changes it hears of and whose data it may read: all users', or those linked to it. */
  audience: z.enum(['all', 'linked']),
  /** The usage plan that its keys are in. */
  tier: z.string().min(1),
  limits: z.object({
    contractsPerDay: z.int().min(0),
    mintsPerDay: z.int().min(0),
  }),
  /** Who makes its new collections, which shared/nft alone understands; none before the first of them. */
  signer: z.string().optional(),
  /** What it decides about OTT events, which shared/ott alone understands. */
  ott: z.record(z.string(), z.unknown()),
  /** Rises with each write; a write names the one it read. */
  version: z.int().min(1),
});

export type Application = z.output<typeof applicationSchema>;
