import * as z from 'zod';
import { resourcePolicy } from './resource-policy.ts';
import { resourceType } from './resource-type.ts';

export const snsTopicPolicy = resourceType({
  type: 'AWS::SNS::TopicPolicy',
  properties: z.strictObject({ PolicyDocument: resourcePolicy, Topics: z.array(z.string()) }),
  deploy: async ({ PolicyDocument, Topics }, { engines, stackName, logicalId }) => {
    for (const topicArn of Topics) {
      await engines.messaging.setTopicAttributes(topicArn, { Policy: JSON.stringify(PolicyDocument) });
    }
    return { ref: `${stackName}-${logicalId}` };
  },
});
