import { listenAwsEndpoint } from '../../aws-endpoint/server.ts';
import type { Engines } from '../../engines/engines.ts';
import { createIdentities } from '../../engines/iam/engine.ts';
import { createMessaging } from '../../engines/messaging/engine.ts';
import { drivenClock } from '../../testing/driven-clock.ts';

/**
 * Runs only SNS and SQS, with this port and state directory, in a process that a test can kill. A number that the test
 * sends moves the clock forward by so many milliseconds.
 */
const [port = '', stateDirectory = ''] = process.argv.slice(2);
const clock = drivenClock();
process.on('message', (milliseconds) => clock.advance(Number(milliseconds)));
const endpoint = await listenAwsEndpoint({ port: Number(port), stateDirectory, log: console.error });
const messaging = await createMessaging({
  stateDirectory,
  endpointUrl: endpoint.url,
  secureEndpointUrl: endpoint.secureUrl,
  authorities: [],
  clock,
  onError: console.error,
});
await messaging.start();
const identities = createIdentities();
const engines = { identities, messaging, dynamodb: { endpoint: endpoint.url }, gateway: {} };
endpoint.serve({ engines: engines as unknown as Engines, stacks: () => [] });
process.send?.({ url: endpoint.url });
