import * as z from 'zod';
import type { Application } from '../platform/applications/application.ts';
import { tellLaterData, unknownIn } from '../platform/later-data.ts';
import { isVisible } from '../platform/parsing/texts.ts';
import { geoblockingSchema, storedGeoblockingSchema } from './viewers/geoblocking.ts';
import { customerRuleSchema } from './viewers/rules.ts';

/** The configuration as it is stored with the application, and in the operator's files. */
export const ottConfigurationSchema = z.strictObject({
  rules: z
    .array(customerRuleSchema)
    .max(100)
    .refine((rules) => new Set(rules.map((rule) => rule.id)).size === rules.length, {
      error: 'must not name the same id twice',
    }),
  geoblocking: geoblockingSchema.nullish().transform((rule) => rule ?? undefined),
  streams_at_once: z.int().min(1).max(20).optional(),
});
export type StoredOttConfiguration = z.infer<typeof ottConfigurationSchema>;

export type OttConfiguration = Pick<StoredOttConfiguration, 'rules' | 'geoblocking'> & {
  /** How many paid streams one viewer may play at the same time. @default no limit, and no sessions are kept */
  readonly streamsAtOnce?: number | undefined;
  /** Whether nothing is shown to anyone, because a later release has stored what may be a restriction. */
  readonly hidesAll?: boolean;
};

const configurationOf = ({
  streams_at_once: streamsAtOnce,
  ...others
}: StoredOttConfiguration): OttConfiguration => ({
  ...others,
  streamsAtOnce,
});

const storedSchema = ottConfigurationSchema.extend({
  geoblocking: storedGeoblockingSchema.nullish().transform((rule) => rule ?? undefined),
});

/** Whether this release understands the stored value of a field completely. */
export const isKnownField = (name: keyof typeof storedSchema.shape, value: unknown): boolean =>
  storedSchema.shape[name].safeParse(value).success;

/**
 * The configuration of an application. What a later release has stored never loosens a restriction: an unknown rule
 * shows no events, an unknown limit counts as a limit of one stream, and anything else unknown hides all events.
 */
export const ottConfigurationOf = ({ id, ott }: Pick<Application, 'id' | 'ott'>): OttConfiguration => {
  const whole = storedSchema.safeParse(ott);
  if (whole.success) return configurationOf(whole.data);
  tellLaterData({ kind: 'application', id, unknown: unknownIn(whole.error) });

  const { rules, geoblocking: countries, streams_at_once: limit, ...others } = ott;
  const isKnown = Object.keys(others).length === 0;
  const isLimitKnown = isKnown && isKnownField('streams_at_once', limit);
  const streamsAtOnce = isLimitKnown ? storedSchema.shape.streams_at_once.parse(limit) : 1;
  const geoblocking = storedSchema.shape.geoblocking.safeParse(countries);
  if (!isKnown || !geoblocking.success)
    return { rules: [], geoblocking: undefined, streamsAtOnce, hidesAll: true };
  const knownRules = Array.isArray(rules)
    ? rules.flatMap((rule) => customerRuleSchema.safeParse(rule).data ?? [])
    : [];
  return { rules: knownRules, geoblocking: geoblocking.data, streamsAtOnce };
};

/** Changes of a configuration. A field that is left out stays as it is; `null` clears it. */
export const ottChangeSchema = z.strictObject({
  rules: ottConfigurationSchema.shape.rules
    .superRefine((rules, context) => {
      for (const [index, { id }] of rules.entries()) {
        if (isVisible(id)) continue;
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: 'must contain a visible character',
        });
      }
    })
    .optional(),
  geoblocking: geoblockingSchema.nullish(),
  streams_at_once: ottConfigurationSchema.shape.streams_at_once.nullable(),
});
