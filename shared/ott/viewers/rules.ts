import * as z from 'zod';
import type { PresentEvent } from '../events/event.ts';
import {
  categorySchema,
  type EventAccess,
  type EventStatus,
  eventAccessSchema,
  eventStatusSchema,
} from '../events/event-kinds.ts';

/** One rule of a customer's application. An absent field matches everything. */
export const customerRuleSchema = z.strictObject({
  id: z.string().trim().min(1, 'must not be empty').max(64),
  enabled: z.boolean(),
  access: eventAccessSchema.optional(),
  statuses: z.array(eventStatusSchema).min(1, 'must name at least one status, or be left out').optional(),
  categories: z
    .array(categorySchema)
    .min(1, 'must name at least one category, or be left out')
    .max(50)
    .optional(),
});
export type CustomerRule = z.infer<typeof customerRuleSchema>;

const matchesKind = (
  rule: CustomerRule,
  kind: { readonly status: EventStatus; readonly access: EventAccess },
) =>
  rule.enabled &&
  (rule.access === undefined || rule.access === kind.access) &&
  (rule.statuses === undefined || rule.statuses.includes(kind.status));

export const rulesFor = (
  rules: readonly CustomerRule[],
  kind: { readonly status: EventStatus; readonly access: EventAccess },
): readonly CustomerRule[] => rules.filter((rule) => matchesKind(rule, kind));

/** Whether an enabled rule shows this event. Without an enabled rule nothing is shown. */
export const rulesShow = (
  rules: readonly CustomerRule[],
  event: Pick<PresentEvent, 'status' | 'access' | 'categories' | 'hand'>,
): boolean =>
  rules.some(
    (rule) =>
      matchesKind(rule, event) &&
      (rule.categories === undefined ||
        rule.categories.some((category) => event.categories.includes(category))),
  );
