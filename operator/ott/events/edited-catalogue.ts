import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { clientConfig } from '../../../shared/platform/aws/client.ts';
import { type Clock, systemClock } from '../../../shared/platform/time/clock.ts';
import { eventStoreOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

/**
 * The largest difference between the clocks of this machine and of AWS. The header `Date` has whole seconds, and an
 * answer may take a second or two.
 */
const clockMilliseconds = 5_000;

const answerSchema = z.object({
  headers: z.object({ date: z.string().transform((date) => Date.parse(date)) }),
});

/**
 * The catalogue for a command that changes it. The history of its events names whose credentials the command has.
 *
 * @throws OperatorError when the clock of this machine is wrong: a status that is set by hand counts from a time of this
 * clock, and schedules decide by it which status an event has.
 */
export const editedCatalogueOf = async (
  target: Target,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<Catalogue> => {
  const { arn, ahead } = await callerOf(target, clock);
  if (Math.abs(ahead) > clockMilliseconds) {
    throw new OperatorError({
      message: `The clock of this machine is ${Math.round(Math.abs(ahead) / 1_000)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} that of AWS, so the change would count from another time than now. Nothing was changed: set the clock, and run the command again.`,
    });
  }
  return dynamoDbCatalogue(eventStoreOf(target), { by: `operator ${arn}` });
};

/** If STS does not answer, the change is made all the same: CloudTrail also shows who made it. */
const callerOf = async (
  { aws }: Pick<Target, 'aws'>,
  clock: Clock,
): Promise<{
  readonly arn: string;
  /** By how many milliseconds the clock of this machine is ahead of that of AWS; 0 if that is unknown. */
  readonly ahead: number;
}> => {
  const client = new STSClient(
    clientConfig({ settings: aws, maxAttempts: 2, requestTimeoutMilliseconds: 1_500 }),
  );
  let ahead = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const answer = answerSchema.safeParse(result.response);
      if (answer.success) ahead = clock() - answer.data.headers.date;
      return result;
    },
    { step: 'deserialize' },
  );
  try {
    const { Arn: arn = 'unknown' } = await client.send(new GetCallerIdentityCommand());
    return { arn, ahead };
  } catch {
    return { arn: 'unknown', ahead: 0 };
  } finally {
    client.destroy();
  }
};
