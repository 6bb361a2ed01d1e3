import * as z from 'zod';
import { geoblockingSchema } from './geoblocking.ts';
import { customerRuleSchema } from './rules.ts';

export const ottConfigurationSchema = z.strictObject({
  rules: z
    .array(customerRuleSchema)
    .max(100)
    .refine((rules) => new Set(rules.map((rule) => rule.id)).size === rules.length, {
      error: 'must not name the same id twice',
    }),
  geoblocking: geoblockingSchema.nullish().transform((rule) => rule ?? undefined),
  /** How many paid streams one viewer may play at the same time. @default no limit, and no sessions are kept */
  streams_at_once: z.int().min(1).max(20).optional(),
});
export type OttConfiguration = z.infer<typeof ottConfigurationSchema>;

/** Changes of a configuration. A field that is left out stays as it is; `null` clears it. */
export const ottChangeSchema = z.strictObject({
  rules: ottConfigurationSchema.shape.rules.optional(),
  geoblocking: geoblockingSchema.nullish(),
  streams_at_once: ottConfigurationSchema.shape.streams_at_once.nullable(),
});
