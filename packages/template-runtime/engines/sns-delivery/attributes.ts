import * as z from 'zod';
import { ServiceFault } from '../service-fault.ts';
import { effectivePolicy } from './delivery-policy.ts';

type Attributes = Readonly<Record<string, string>>;

const settable = [
  'DeliveryPolicy',
  'FilterPolicy',
  'FilterPolicyScope',
  'RawMessageDelivery',
  'RedrivePolicy',
  'SubscriptionRoleArn',
] as const;
const settableName = z.enum(settable);

const redrivePolicy = z.strictObject({
  deadLetterTargetArn: z.string().regex(/^arn:aws:sqs:[^:]*:\d{12}:.+$/),
});
const filterPolicy = z.record(z.string(), z.unknown());

/**
 * SNS's limits for a filter policy: the number of keys, and the number of combinations of their values ("Filter policy
 * constraints").
 */
const maximumFilterKeys = 5;
const maximumFilterCombinations = 150;

const invalid = (message: string): ServiceFault =>
  new ServiceFault({ code: 'InvalidParameter', message: `Invalid parameter: ${message}` });

const json = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${name}: failed to parse JSON.`);
  }
};

const leaves = (policy: Readonly<Record<string, unknown>>): readonly (readonly unknown[])[] =>
  Object.values(policy).flatMap((value) => {
    if (Array.isArray(value)) return [value];
    const nested = filterPolicy.safeParse(value);
    if (!nested.success) throw invalid('FilterPolicy: "match value" must be an array or an object');
    return leaves(nested.data);
  });

const checkFilterPolicy = (text: string): void => {
  const policy = filterPolicy.safeParse(json('FilterPolicy', text));
  if (!policy.success) throw invalid('FilterPolicy: must be a JSON object');
  const values = leaves(policy.data);
  if (values.length > maximumFilterKeys) {
    throw invalid(`FilterPolicy: Filter policy can not have more than ${maximumFilterKeys} keys`);
  }
  if (values.reduce((product, each) => product * Math.max(each.length, 1), 1) > maximumFilterCombinations) {
    throw invalid('FilterPolicy: Filter policy is too complex');
  }
};

export const deadLetterTarget = (attributes: Attributes): string | undefined =>
  attributes.RedrivePolicy
    ? redrivePolicy.parse(json('RedrivePolicy', attributes.RedrivePolicy)).deadLetterTargetArn
    : undefined;

const checks: Record<z.infer<typeof settableName>, (value: string) => void> = {
  DeliveryPolicy: (value) => {
    effectivePolicy({ subscription: value });
  },
  FilterPolicy: checkFilterPolicy,
  FilterPolicyScope(value) {
    if (value !== 'MessageAttributes' && value !== 'MessageBody') {
      throw invalid(`FilterPolicyScope: Invalid value [${value}]`);
    }
  },
  RawMessageDelivery(value) {
    if (value !== 'true' && value !== 'false') throw invalid(`RawMessageDelivery: Invalid value [${value}]`);
  },
  RedrivePolicy(value) {
    const policy = redrivePolicy.safeParse(json('RedrivePolicy', value));
    if (!policy.success) throw invalid('RedrivePolicy: deadLetterTargetArn is an invalid arn');
  },
  SubscriptionRoleArn: () => undefined,
};

/** Throws `InvalidParameter` for a value that SNS would refuse. An empty value is allowed: it removes the attribute. */
export const checkAttribute = (name: string, value: string): void => {
  const known = settableName.safeParse(name);
  if (!known.success) throw invalid('AttributeName');
  if (value !== '') checks[known.data](value);
};

export const withoutEmpty = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));

/** The attributes that make fauxqs apply the filter policy to the subscription of the hidden queue. */
export const filterAttributes = ({ FilterPolicy, FilterPolicyScope }: Attributes): Attributes => ({
  ...(FilterPolicy && { FilterPolicy }),
  ...(FilterPolicyScope && { FilterPolicyScope }),
});
