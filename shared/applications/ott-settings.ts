import * as z from 'zod';

export const eventStatuses = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;
export type EventStatus = (typeof eventStatuses)[number];

export const eventAccesses = ['free', 'paid'] as const;
export type EventAccess = (typeof eventAccesses)[number];

const countryCode = z.string().regex(/^[A-Z]{2}$/, 'A country of ISO 3166-1 alpha-2, in capitals');

/** Lets an event be seen when it is enabled and matches; a field left out matches all. */
export const customerRuleSchema = z.strictObject({
  id: z.string().min(1).max(64),
  enabled: z.boolean(),
  access: z.enum(eventAccesses).optional(),
  statuses: z.array(z.enum(eventStatuses)).min(1).optional(),
  categories: z.array(z.string().min(1).max(64)).min(1).optional(),
});
export type CustomerRule = z.output<typeof customerRuleSchema>;

/** `block` hides in these countries, `allow` in all others; `statuses` narrows the rule to such events. */
export const geoblockingSchema = z.strictObject({
  enabled: z.boolean(),
  mode: z.enum(['block', 'allow']),
  countries: z.array(countryCode).max(260),
  statuses: z.array(z.enum(eventStatuses)).min(1).optional(),
});
export type Geoblocking = z.output<typeof geoblockingSchema>;

/** What an application sets for the viewers of its client. */
export const ottSettingsSchema = z.strictObject({
  rules: z.array(customerRuleSchema).max(100),
  geoblocking: geoblockingSchema.optional(),
});
export type OttSettings = z.output<typeof ottSettingsSchema>;
