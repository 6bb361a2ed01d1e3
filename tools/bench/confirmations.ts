import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { System } from '../../test/support/platform/system.ts';

const lookMilliseconds = 250;
const patienceMilliseconds = 120_000;

export interface Watched {
  readonly contract: string;
  readonly applicationId: string;
  /**
   * How many tokens to wait for. Called after each read, because the number may become known only while tokens are
   * minted.
   */
  readonly count: () => number;
}

/**
 * Records, by token id, when each token was first seen as confirmed. It reads four times a second, in the order of the
 * ids.
 */
export const watchConfirmations = async (system: System) => {
  const tableName = await system.stackOutput('NftsTable');
  const client = new DynamoDBClient(system.aws);
  const documents = DynamoDBDocumentClient.from(client);

  const pageAfter = async ({ contract, applicationId }: Watched, after: string, limit: number) => {
    const { Items = [] } = await documents.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: { ':pk': `${applicationId}#${contract.toLowerCase()}`, ':after': after },
        ExpressionAttributeNames: { '#status': 'status' },
        ProjectionExpression: 'sk, #status',
        Limit: limit,
      }),
    );
    return Items;
  };

  return {
    /**
     * Waits until `count()` tokens are confirmed. Watch each contract only once.
     *
     * @throws when a token failed, or none was confirmed for two minutes.
     */
    until: async (watched: Watched): Promise<ReadonlyMap<string, number>> => {
      const seen = new Map<string, number>();
      let after = '0';
      let deadline = performance.now() + patienceMilliseconds;
      const look = async (): Promise<void> => {
        // First reads only the next token. While that token is pending, reading a larger page would be a waste.
        for (let limit = 1; ; limit = 200) {
          const items = await pageAfter(watched, after, limit);
          const at = performance.now();
          for (const { sk, status } of items) {
            const tokenId = String(Number(sk));
            if (status === 'pending') return;
            if (status !== 'confirmed')
              throw new Error(`Token ${tokenId} of ${watched.contract} is ${status}`);
            seen.set(tokenId, at);
            after = String(sk);
            deadline = at + patienceMilliseconds;
          }
          if (items.length === 0) return;
        }
      };
      while (seen.size < watched.count()) {
        await look();
        if (performance.now() > deadline) {
          throw new Error(`${seen.size} of ${watched.count()} were confirmed in time`);
        }
        await delay(lookMilliseconds);
      }
      return seen;
    },
    stop: () => client.destroy(),
  };
};

export type Confirmations = Awaited<ReturnType<typeof watchConfirmations>>;
