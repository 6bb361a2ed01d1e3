import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { clientConfig } from '../../../shared/platform/aws/client.ts';
import { eventStoreOf } from '../../platform/stage/stores.ts';
import type { Target } from '../../platform/stage/target.ts';

/** The catalogue for a command that changes it. The history of its events names whose credentials the command has. */
export const editedCatalogueOf = async (target: Target): Promise<Catalogue> =>
  dynamoDbCatalogue(eventStoreOf(target), { by: `operator ${await callerOf(target)}` });

/** If STS does not answer, the change is made all the same: CloudTrail also shows who made it. */
const callerOf = async ({ aws }: Target): Promise<string> => {
  const client = new STSClient(
    clientConfig({ settings: aws, maxAttempts: 2, requestTimeoutMilliseconds: 1_500 }),
  );
  try {
    const { Arn = 'unknown' } = await client.send(new GetCallerIdentityCommand());
    return Arn;
  } catch {
    return 'unknown';
  } finally {
    client.destroy();
  }
};
