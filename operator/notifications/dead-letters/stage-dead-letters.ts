import { addressSchema } from '../../../shared/nft/hex.ts';
import { isChainMessage } from '../../../shared/notifications/message.ts';
import { contractsOf } from '../../nft/chain/stores.ts';
import { applicationUserSubsOf } from '../../platform/stage/stores.ts';
import type { Target } from '../../platform/stage/target.ts';
import { stageQueue } from '../queue/sqs-queue.ts';
import type { FindApplication } from './list-dead-letters.ts';

export const applicationFinder = (target: Target): FindApplication => {
  const subs = applicationUserSubsOf(target);
  const contracts = contractsOf(target);
  return async (message) => {
    if (!isChainMessage(message)) return subs.applicationOf(message.applicationUserSub);
    const address = addressSchema.safeParse(message.contractAddress.toLowerCase()).data;
    return address && (await contracts.findPublic(address))?.application;
  };
};

export const deadLetterQueue = (target: Target) => stageQueue(target, 'DeadLetterQueueUrl');
