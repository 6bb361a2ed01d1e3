import { accountId, accountOfArn, region, resourceOfArn } from '../account.ts';

/** fauxqs has only one account. Queues of other accounts have this prefix there. */
const foreign = /^in-account-(\d{12})-(.+)$/;

/** The name of a queue in fauxqs. */
export const engineQueueName = (queueArn: string): string => {
  const account = accountOfArn(queueArn);
  const name = resourceOfArn(queueArn);
  return account === accountId ? name : `in-account-${account}-${name}`;
};

/** The ARN of the queue that has this name in fauxqs. */
export const arnOfEngineQueue = (engineName: string): string => {
  const [, account = accountId, name = engineName] = foreign.exec(engineName) ?? [];
  return `arn:aws:sqs:${region}:${account}:${name}`;
};

const lastParts = (url: string): readonly string[] => url.split('/').slice(-2);

/** The ARN of the queue with this URL, which ends with the account and the queue's name. */
export const arnOfQueueUrl = (url: string): string => {
  const [account = accountId, name = ''] = lastParts(url);
  return `arn:aws:sqs:${region}:${account}:${name}`;
};

export const queueUrl = (endpointUrl: string, queueArn: string): string =>
  `${endpointUrl}/${accountOfArn(queueArn)}/${resourceOfArn(queueArn)}`;
