import { listenAwsEndpoint } from '../../aws-endpoint/server.ts';
import type { Engines } from '../../engines/engines.ts';
import { createIdentities } from '../../engines/iam/engine.ts';
import { createMessaging } from '../../engines/messaging/engine.ts';

/** Runs only SNS and SQS, with this port and state directory, in a process that a test can kill. */
const [port = '', stateDirectory = ''] = process.argv.slice(2);
const endpoint = await listenAwsEndpoint({ port: Number(port), stateDirectory, log: console.error });
const messaging = await createMessaging({
  stateDirectory,
  endpointUrl: endpoint.url,
  secureEndpointUrl: endpoint.secureUrl,
  authorities: [],
  onError: console.error,
});
await messaging.start();
const identities = createIdentities();
const engines = { identities, messaging, dynamodb: { endpoint: endpoint.url }, gateway: {} };
endpoint.serve({ engines: engines as unknown as Engines, stacks: () => [] });
process.send?.({ url: endpoint.url });
