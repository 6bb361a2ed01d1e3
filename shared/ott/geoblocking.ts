import * as z from 'zod';
import { type Country, countryCodeSchema } from './countries.ts';
import { type EventStatus, eventStatusSchema } from './event-kinds.ts';

const enabledRuleSchema = z.strictObject({
  enabled: z.literal(true),
  /** `block` hides in the named countries, `allow` everywhere else. */
  mode: z.enum(['block', 'allow']),
  countries: z.array(countryCodeSchema).min(1, 'must name a country').max(249),
  /** @default every status */
  statuses: z.array(eventStatusSchema).min(1, 'must name a status, or be left out').optional(),
});

/** A disabled rule keeps its other readable fields for the day it is enabled again; until then they have no effect. */
const disabledRuleSchema = z.object({
  enabled: z.literal(false),
  mode: z.enum(['block', 'allow']).optional().catch(undefined),
  countries: z.array(z.string().max(8)).max(249).optional().catch(undefined),
  statuses: z.array(eventStatusSchema).optional().catch(undefined),
});

/** A rule of a client, an event or a stream. A disabled rule may have its other fields or none. */
export const geoblockingSchema = z.discriminatedUnion('enabled', [enabledRuleSchema, disabledRuleSchema]);
export type Geoblocking = z.infer<typeof geoblockingSchema>;

/**
 * Whether one rule blocks content of this status in this country. Where a rule applies, an unknown country is blocked:
 * nobody passes a licence by hiding the country.
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

/** An event's own rule that is disabled lifts the client's rule for it. */
export const liftsClientRule = (own: Geoblocking | undefined): boolean => own?.enabled === false;
