import * as z from 'zod';
import type { Engines } from '../engines/engines.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';

const share = z.number().min(0).max(1);
const milliseconds = z.number().min(0).max(60_000);

const changes = z
  .strictObject({
    database: z
      .strictObject({
        throttleShare: share,
        conflictShare: share,
        delayMilliseconds: milliseconds,
        indexLagMilliseconds: milliseconds,
        tablesOutOfReach: z.array(z.string().min(1)),
        partitionLimits: z
          .strictObject({
            readUnits: z.number().positive(),
            writeUnits: z.number().positive(),
            tables: z.array(z.string().min(1)).optional(),
          })
          .nullable(),
        countsUnits: z.boolean(),
      })
      .partial(),
    chain: z.strictObject({ isOutOfReach: z.boolean() }).partial(),
    lambda: z.strictObject({ accountConcurrency: z.int().min(0), freezes: z.boolean() }).partial(),
  })
  .partial();

export const faultsPath = '/_faults';

const answer = (status: number, body: unknown): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Answers requests to `/_faults` on the port for AWS calls; the path is the runtime's own, not AWS's. GET returns the
 * active faults and the number of calls to each service, by caller and operation. PUT changes the faults that its body
 * names, from the next call on.
 */
export const answerFaults = (
  {
    dynamodb,
    chain,
    lambda,
    otherCalls,
  }: Pick<Engines, 'dynamodb' | 'chain' | 'lambda'> & {
    readonly otherCalls: Readonly<Record<string, Readonly<Record<string, number>>>>;
  },
  request: AwsRequest,
): AwsAnswer => {
  if (request.method === 'PUT') {
    const wanted = changes.safeParse(parsed(request.body));
    if (!wanted.success) return answer(400, { message: z.prettifyError(wanted.error) });
    if (wanted.data.database) dynamodb.gate.setFaults(wanted.data.database);
    if (wanted.data.chain) chain.setFaults(wanted.data.chain);
    if (wanted.data.lambda) lambda.setFaults(wanted.data.lambda);
  } else if (request.method !== 'GET') {
    return answer(405, { message: `${faultsPath} supports only GET and PUT` });
  }
  return answer(200, {
    database: dynamodb.gate.faults,
    chain: chain.faults,
    lambda: lambda.faults,
    databaseCalls: dynamodb.gate.counts(),
    databaseUnits: dynamodb.gate.units(),
    partitionWrites: dynamodb.gate.partitionWrites(),
    otherCalls,
  });
};
