import { createIdentities } from 'template-runtime/engines/iam/engine.ts';
import { createLambdaEngine } from 'template-runtime/engines/lambda/engine.ts';
import { createRestGateway } from 'template-runtime/gateway/rest-gateway.ts';
import { systemClock } from '../shared/clock.ts';
import { bundleFunction, temporaryDirectory } from '../test/support/lambda-bundles.ts';
import { startRpcRelay } from './rpc-relay.ts';

// The gateway and the worker threads of `npm start` with one function, in a process of its own as the system is. Is told
// the function's source, and a server that the function asks over this process, as over the endpoint of AWS. Says its
// address and runs until it is ended.
const [, , source, asked] = process.argv;
if (source === undefined) throw new Error('A function’s source is missing');
const relay =
  asked === undefined
    ? undefined
    : await startRpcRelay({ target: asked, answer: (body, askNode) => askNode(body) });
const name = 'bare';
const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const roleArn = 'arn:aws:iam::000000000000:role/bare';
const stateDirectory = await temporaryDirectory();
const report = (line: string): void => void process.stderr.write(`${line}\n`);

const identities = createIdentities();
identities.registerRole({ arn: roleArn, name: 'bare', trusts: [] });
const lambda = createLambdaEngine({
  logDirectory: stateDirectory,
  identities,
  awsEndpointUrl: () => 'http://127.0.0.1:1',
  report,
});
lambda.register({
  name,
  arn,
  roleArn,
  codeDirectory: await bundleFunction(source),
  handler: 'index.handler',
  environment: relay === undefined ? {} : { RELAY_URL: relay.url },
  timeoutSeconds: 10,
  memoryMegabytes: 512,
});
lambda.permit({
  target: name,
  action: 'lambda:InvokeFunction',
  principal: 'apigateway.amazonaws.com',
  sourceArn: 'arn:aws:execute-api:us-east-1:000000000000:bare/local/*',
});

const gateway = createRestGateway({
  lambda,
  stateDirectory,
  logDirectory: stateDirectory,
  clock: systemClock,
  trustForwardedFor: false,
  report,
});
gateway.addApi({ id: 'bare', name: 'marquee-local-bare' });
gateway.addResource({
  id: 'call',
  apiId: 'bare',
  parentId: gateway.rootResourceId('bare'),
  pathPart: 'call',
});
gateway.addMethod({
  logicalId: 'Call',
  apiId: 'bare',
  resourceId: 'call',
  httpMethod: 'POST',
  apiKeyRequired: false,
  integration: { type: 'AWS_PROXY', functionArn: arn, timeoutMilliseconds: 29_000 },
});
gateway.addStage({ apiId: 'bare', name: 'local', variables: {}, throttle: {} });
const port = await gateway.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`http://127.0.0.1:${port}/bare/call\n`);
