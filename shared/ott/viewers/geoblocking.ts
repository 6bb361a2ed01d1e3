import * as z from 'zod';
import { type EventStatus, eventStatusValueSchema } from '../events/event-kinds.ts';
import { type Country, countryCodeSchema } from './countries.ts';

const enabledRuleSchema = z
  .strictObject({
    enabled: z.literal(true),
    /** `block` hides content in the named countries. `allow` hides it in all other countries. */
    mode: z.enum(['block', 'allow']),
    countries: z.array(countryCodeSchema).min(1, 'must name at least one country').max(249),
    /** @default every status */
    statuses: z
      .array(eventStatusValueSchema)
      .min(1, 'must name at least one status, or be left out')
      .optional(),
  })
  .meta({
    id: 'EnabledGeoblockingRequest',
    description:
      'Blocks the countries (`block`), or all others (`allow`), in these statuses, or else in all.',
    examples: [{ enabled: true, mode: 'block', countries: ['US'], statuses: ['LIVE'] }],
  });

/** A disabled rule has no effect, but keeps its other fields for a later use. */
const disabledRuleSchema = z
  .object({
    enabled: z.literal(false),
    mode: z.enum(['block', 'allow']).optional().catch(undefined),
    countries: z.array(z.string().max(8)).max(249).optional().catch(undefined),
    statuses: z.array(eventStatusValueSchema).optional().catch(undefined),
  })
  .meta({
    id: 'DisabledGeoblockingRequest',
    description: 'Blocks no country, whatever rule the application has.',
    examples: [{ enabled: false }],
  });

export const geoblockingSchema = z
  .discriminatedUnion('enabled', [enabledRuleSchema, disabledRuleSchema], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be true or false, without quotation marks' : undefined,
  })
  .meta({
    id: 'GeoblockingRequest',
    description: 'In which countries an event or its stream is blocked.',
    examples: [{ enabled: true, mode: 'block', countries: ['US'] }],
  });

/** A rule of a stored event. What was stored has no other fields, unless a later release stored them. */
export const storedGeoblockingSchema = z.discriminatedUnion('enabled', [
  enabledRuleSchema,
  disabledRuleSchema.strict(),
]);

export type Geoblocking = z.infer<typeof geoblockingSchema>;

/**
 * Whether a rule blocks content of this status in this country. An unknown country is always blocked: otherwise a
 * viewer could bypass a licence by hiding the country.
 */
export const ruleBlocks = ({
  rule,
  status,
  country,
}: {
  readonly rule: Geoblocking | undefined;
  readonly status: EventStatus;
  readonly country: Country;
}): boolean => {
  if (!rule?.enabled) return false;
  if (rule.statuses !== undefined && !rule.statuses.includes(status)) return false;
  if (country === undefined) return true;
  return rule.countries.includes(country) === (rule.mode === 'block');
};

/** A disabled rule of an event exempts the event from the client's rule. */
export const liftsClientRule = (own: Geoblocking | undefined): boolean => own?.enabled === false;
