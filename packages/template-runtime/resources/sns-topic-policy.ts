import * as z from 'zod';
import { resourcePolicy } from './resource-policy.ts';
import { resourceType } from './resource-type.ts';

/** Unlike other services, SNS requires unique `Sid`s if a policy has several statements. */
const hasUniqueIds = ({ Statement }: z.output<typeof resourcePolicy>): boolean => {
  const ids = Statement.map(({ Sid }) => Sid);
  return ids.length === 1 || (!ids.includes(undefined) && new Set(ids).size === ids.length);
};

export const snsTopicPolicy = resourceType({
  type: 'AWS::SNS::TopicPolicy',
  properties: z.strictObject({
    PolicyDocument: resourcePolicy.refine(hasUniqueIds, {
      error: 'Invalid parameter: Policy Error: Every policy statement must have a unique ID',
    }),
    Topics: z.array(z.string()),
  }),
  deploy: async ({ PolicyDocument, Topics }, { engines, stackName, logicalId }) => {
    for (const topicArn of Topics) {
      await engines.messaging.setTopicAttributes(topicArn, { Policy: JSON.stringify(PolicyDocument) });
    }
    return { ref: `${stackName}-${logicalId}` };
  },
});
