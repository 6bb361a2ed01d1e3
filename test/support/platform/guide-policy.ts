import { readFileSync } from 'node:fs';
import * as z from 'zod';

const guide = new URL('../../../docs/policies.md', import.meta.url);

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const policySchema = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.array(
    z.strictObject({
      Sid: z.string(),
      Effect: z.literal('Allow'),
      Action: oneOrMore,
      Resource: oneOrMore,
      Condition: z.record(z.string(), z.record(z.string(), z.string())).optional(),
    }),
  ),
});

export type GuidePolicy = z.output<typeof policySchema>;

/** The policy under a heading of docs/policies.md, with the placeholders replaced by `values`. */
export const guidePolicy = (heading: string, values: Readonly<Record<string, string>>): GuidePolicy => {
  const section = readFileSync(guide, 'utf8').split(`\n### ${heading}\n`)[1] ?? '';
  const written = /^```json\n(.*?)^```$/ms.exec(section)?.[1];
  if (written === undefined) throw new Error(`docs/policies.md has no policy under "${heading}"`);
  const filled = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    written,
  );
  return policySchema.parse(JSON.parse(filled));
};

/** For each action of the policy, a copy of the policy without that action. */
export const lessOneAction = (policy: GuidePolicy) =>
  policy.Statement.flatMap((statement) =>
    statement.Action.map((action) => ({
      sid: statement.Sid,
      action,
      policy: {
        ...policy,
        Statement: policy.Statement.map((each) =>
          each === statement ? { ...each, Action: each.Action.filter((one) => one !== action) } : each,
        ).filter(({ Action }) => Action.length > 0),
      },
    })),
  );
