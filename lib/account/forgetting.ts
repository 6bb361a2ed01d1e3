import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Nft } from '../nft/nft.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { DeadLetterQueue, maySend } from '../platform/constructs/queues.ts';
import { stageOf } from '../platform/constructs/stage.ts';
import { readStream, watchStreams } from '../platform/constructs/triggers.ts';
import type { UserData } from '../users/user-data.ts';
import type { Wallets } from '../wallets/wallets.ts';

/** Selects tombstones. DynamoDB deletes an expired one without a new image. */
const removals = lambda.FilterCriteria.filter({
  dynamodb: { NewImage: { is_removed: { BOOL: lambda.FilterRule.exists() } } },
});

export interface ForgettingParts {
  readonly userData: UserData;
  readonly wallets: Wallets;
  readonly nft: Nft;
}

/** Adds the function that deletes what other tables have of a user who was removed from the users table. */
export function addForgetting(
  scope: Construct,
  { userData, wallets, nft }: ForgettingParts,
): DeadLetterQueue {
  const failedErasures = new DeadLetterQueue(scope, 'FailedErasures', {
    whatGoesWrong:
      'Wallets or claimed tokens of users who were removed could not be forgotten: the tables still tell whose they were.',
    runbook: 'failed-erasures',
    severity: 'ticket',
  });
  const { queue } = failedErasures;
  const reader = new MarqueeFunction(scope, 'account/forget-users', {
    description: 'Deletes wallets and claims of users who were removed',
    whatGoesWrong: 'Wallets and claims of users who were removed are forgotten late.',
    severity: 'ticket',
    timeout: Duration.seconds(60),
    environment: { TICKET_SECONDS: String(stageOf(scope).ott.ticketSeconds) },
    may: [
      ...wallets.unlink,
      userData.listSubs,
      ...nft.tables.forgetClaims,
      maySend(queue, 'FAILED_ERASURES_QUEUE_URL'),
    ],
  });
  readStream(scope, 'Removals', userData.users, reader, {
    filters: [removals],
    bisectBatchOnError: true,
    // The function itself puts aside what fails. These retries are for an outage. A stream keeps records for a day.
    retryAttempts: 2_000,
    maxRecordAge: Duration.hours(20),
    onFailure: { bind: () => ({ destination: queue.queueArn }) },
  });
  watchStreams(scope, reader, {
    whatGoesWrong:
      'Wallets and claims of users who were removed are forgotten minutes late, and not by itself if this lasts for a day.',
    runbook: 'erasures-are-late',
    severity: 'ticket',
  });
  return failedErasures;
}
