import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploy } from '../../assembly/deployment.ts';
import { parseTemplate } from '../../assembly/template.ts';
import type { Engines } from '../../engines/engines.ts';
import { createIdentities } from '../../engines/iam/engine.ts';
import { createLambdaEngine } from '../../engines/lambda/engine.ts';
import type { LambdaEngine } from '../../engines/lambda/types.ts';
import { createRestGateway } from '../../gateway/rest-gateway.ts';
import type { RestGateway } from '../../gateway/types.ts';
import { computeResources } from '../../resources/compute-resources.ts';
import { bundleFunction, temporaryDirectory } from '../../testing/bundles.ts';

type Resources = Record<string, { Type: string; Properties: Record<string, unknown>; DependsOn?: string[] }>;

let lambda: LambdaEngine;
let gateway: RestGateway;
let directory: string;
let port = 0;
let parts: Pick<Engines, 'identities' | 'lambda' | 'gateway'>;
const terminal: string[] = [];

const statement = (Action: string, Principal: object) => ({ Effect: 'Allow', Action, Principal });

/** A template as the CDK writes it, with one function behind `GET /base/things`. */
const template = (): Resources => ({
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [statement('sts:AssumeRole', { Service: 'lambda.amazonaws.com' })],
      },
    },
  },
  Policy: {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName: 'Policy',
      Roles: [{ Ref: 'Role' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'xray:PutTraceSegments', Resource: '*' }],
      },
    },
  },
  Fn: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: 'assets', S3Key: 'abc.zip' },
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      MemorySize: 128,
      Environment: { Variables: { GREETING: 'hello' } },
    },
  },
  Api: {
    Type: 'AWS::ApiGateway::RestApi',
    Properties: { Name: 'app-local-base', EndpointConfiguration: { Types: ['REGIONAL'] } },
  },
  Things: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: {
      RestApiId: { Ref: 'Api' },
      ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
      PathPart: 'things',
    },
  },
  Method: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      RestApiId: { Ref: 'Api' },
      ResourceId: { Ref: 'Things' },
      HttpMethod: 'GET',
      AuthorizationType: 'NONE',
      Integration: {
        Type: 'AWS_PROXY',
        IntegrationHttpMethod: 'POST',
        Uri: {
          'Fn::Sub':
            'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/$' + '{Fn.Arn}/invocations',
        },
      },
    },
  },
  Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: { Ref: 'Api' } } },
  Stage: {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      RestApiId: { Ref: 'Api' },
      DeploymentId: { Ref: 'Deployment' },
      StageName: 'local',
      MethodSettings: [
        { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 100 },
      ],
    },
  },
  Permission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Fn', 'Arn'] },
      Principal: 'apigateway.amazonaws.com',
      SourceArn: {
        'Fn::Join': [
          '',
          ['arn:aws:execute-api:us-east-1:000000000000:', { Ref: 'Api' }, '/local/GET/things'],
        ],
      },
    },
  },
});

const deployed = async (change: (resources: Resources) => void = () => {}): Promise<void> => {
  const resources = template();
  change(resources);
  await deploy({
    assembly: {
      directory,
      stackName: 'Stack',
      terminationProtection: false,
      template: parseTemplate({ Resources: resources }, 'a template'),
    },
    engines: parts as Engines,
    resourceTypes: new Map(computeResources.map((each) => [each.type, each])),
    parameters: {},
    region: 'us-east-1',
    accountId: '000000000000',
  });
  port = await gateway.listen({ host: '127.0.0.1', port: 0 });
};

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}/base${path}`);

/** The properties that a test is about to change. */
const propertiesOf = (resources: Resources, logicalId: string): Record<string, unknown> => {
  const resource = resources[logicalId];
  if (resource === undefined) throw new Error(`no ${logicalId}`);
  return resource.Properties;
};

beforeEach(async () => {
  terminal.length = 0;
  directory = await temporaryDirectory();
  const bundle = await bundleFunction(`
    if (process.env.GREETING === undefined) throw new Error('GREETING is not set');
    export const handler = async () => ({ statusCode: 200, body: process.env.GREETING });
  `);
  await rename(bundle, join(directory, 'asset.abc'));
  const report = (line: string): void => {
    terminal.push(line);
  };
  const identities = createIdentities();
  lambda = createLambdaEngine({
    logDirectory: directory,
    identities,
    awsEndpointUrl: () => 'http://127.0.0.1:4566',
    report,
  });
  gateway = createRestGateway({
    lambda,
    identities,
    stateDirectory: directory,
    logDirectory: directory,
    clock: Date.now,
    trustForwardedFor: false,
    report,
  });
  parts = { identities, lambda, gateway };
});

afterEach(async () => {
  await gateway.stop();
  await lambda.stop();
});

describe('a deployment of functions and APIs', () => {
  it('serves the function in the template at its route', async () => {
    await deployed();

    const response = await get('/things');

    expect(response.status).toBe(200);
    expect(await response.text()).toBe('hello');
  });

  it.each<[string, (resources: Resources) => void, RegExp]>([
    [
      'a route to a function that does not exist',
      (resources) => {
        propertiesOf(resources, 'Method').Integration = {
          Type: 'AWS_PROXY',
          IntegrationHttpMethod: 'POST',
          Uri: 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:000000000000:function:typo/invocations',
        };
      },
      /Method: GET \/things of app-local-base names the function .*typo, which does not exist/,
    ],
    [
      'a reference to nothing',
      (resources) => {
        propertiesOf(resources, 'Fn').Role = { 'Fn::GetAtt': ['Rule', 'Arn'] };
      },
      /Fn.*Rule/,
    ],
    [
      'a property that is not understood',
      (resources) => {
        propertiesOf(resources, 'Fn').SnapStart = { ApplyOn: 'PublishedVersions' };
      },
      /Fn \(AWS::Lambda::Function\).*SnapStart/s,
    ],
    [
      'an environment variable without a value',
      (resources) => {
        propertiesOf(resources, 'Fn').Environment = { Variables: { GREETING: null } };
      },
      /Fn \(AWS::Lambda::Function\).*the value of every variable must be a string.*GREETING/s,
    ],
    [
      'a variable that is reserved',
      (resources) => {
        propertiesOf(resources, 'Fn').Environment = { Variables: { AWS_REGION: 'eu-west-1' } };
      },
      /Fn.*reserves/s,
    ],
    [
      'a role that Lambda cannot assume',
      (resources) => {
        propertiesOf(resources, 'Role').AssumeRolePolicyDocument = {
          Version: '2012-10-17',
          Statement: [statement('sts:AssumeRole', { Service: 'states.amazonaws.com' })],
        };
      },
      /Fn .*cannot be assumed by Lambda/,
    ],
    [
      'a destination to which the role may not send',
      (resources) => {
        resources.Async = {
          Type: 'AWS::Lambda::EventInvokeConfig',
          Properties: {
            FunctionName: { Ref: 'Fn' },
            Qualifier: '$LATEST',
            DestinationConfig: {
              OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:given-up' },
            },
          },
        };
      },
      /Async .*does not have permissions to call SendMessage/,
    ],
    [
      'a policy with an element that is not known',
      (resources) => {
        propertiesOf(resources, 'Policy').PolicyDocument = {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: 'kms:Sign',
              Resource: '*',
              Condition: { DateLessThan: { 'aws:SourceArn': 'x' } },
            },
          ],
        };
      },
      /Policy .*DateLessThan/,
    ],
    [
      'an authorizer',
      (resources) => {
        propertiesOf(resources, 'Method').AuthorizationType = 'AWS_IAM';
      },
      /Method.*AuthorizationType/s,
    ],
  ])('fails with %s, and the error names the resource', async (_what, change, message) => {
    await expect(deployed(change)).rejects.toThrow(message);
  });

  it('answers 502 and prints the log file when the function lacks an environment variable', async () => {
    await deployed((resources) => {
      delete propertiesOf(resources, 'Fn').Environment;
    });

    const response = await get('/things');

    expect(response.status).toBe(502);
    expect(terminal).toEqual([
      expect.stringMatching(/^Stack-Fn failed: Error: GREETING is not set .*Stack-Fn\.log/),
    ]);
  });

  it('answers 500 when the permission is for another route', async () => {
    await deployed((resources) => {
      propertiesOf(resources, 'Permission').SourceArn = {
        'Fn::Join': ['', ['arn:aws:execute-api:us-east-1:000000000000:', { Ref: 'Api' }, '/local/GET/thing']],
      };
    });

    expect((await get('/things')).status).toBe(500);
  });
});
