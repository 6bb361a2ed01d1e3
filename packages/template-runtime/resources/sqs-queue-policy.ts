import * as z from 'zod';
import { arn } from '../engines/account.ts';
import { resourcePolicy } from './resource-policy.ts';
import { resourceType } from './resource-type.ts';

export const sqsQueuePolicy = resourceType({
  type: 'AWS::SQS::QueuePolicy',
  properties: z.strictObject({ PolicyDocument: resourcePolicy, Queues: z.array(z.string()) }),
  deploy: async ({ PolicyDocument, Queues }, { engines, stackName, logicalId }) => {
    for (const url of Queues) {
      await engines.messaging.setQueueAttributes(arn('sqs', url.split('/').at(-1) ?? ''), {
        Policy: JSON.stringify(PolicyDocument),
      });
    }
    return { ref: `${stackName}-${logicalId}` };
  },
});
