import { listenAwsEndpoint } from '../../../local/aws-endpoint/server.ts';
import type { Engines } from '../../../local/engines/engines.ts';
import { createIdentities } from '../../../local/engines/identities.ts';
import { createMessaging } from '../../../local/engines/messaging.ts';

/** SNS and SQS alone, on a port and over a state directory, in a process that a test can kill. */
const [port = '', stateDirectory = ''] = process.argv.slice(2);
const endpoint = await listenAwsEndpoint({ port: Number(port), stateDirectory, log: console.error });
const messaging = await createMessaging({
  stateDirectory,
  endpointUrl: endpoint.url,
  secureEndpointUrl: endpoint.secureUrl,
  authorities: [],
  onError: console.error,
});
const identities = createIdentities();
const engines = { identities, messaging, dynamodb: { endpoint: endpoint.url }, gateway: {} };
endpoint.serve({ engines: engines as unknown as Engines, stacks: () => [] });
process.send?.({ url: endpoint.url });
