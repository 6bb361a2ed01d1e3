import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from 'template-runtime/durable-file.ts';
import type { DemonstrationApplication } from './seed/applications.ts';

export interface Outputs {
  readonly base_url: string;
  readonly api_url_b2b: string;
  readonly api_url_profile: string;
  readonly aws_endpoint_url: string;
  readonly chain_rpc_url: string;
  readonly oidc_issuer: string;
  readonly topic_arn: string;
  readonly dlq_url: string;
  readonly entitlement_url: string;
  readonly geolocation_url: string;
  readonly distribution_url: string;
  /** PEM file of the AWS endpoint's certificate authority. */
  readonly ca_file: string;
  readonly applications: readonly DemonstrationApplication[];
}

export const writeOutputs = (stateDirectory: string, outputs: Outputs): void =>
  writeFileDurably(join(stateDirectory, 'outputs.json'), `${JSON.stringify(outputs, null, 2)}\n`);

/** `undefined` until the system has been ready for the first time. */
const readOutputs = (stateDirectory: string): Outputs | undefined => {
  const file = join(stateDirectory, 'outputs.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};

export const alreadyRuns = (stateDirectory: string, processId: number): string => {
  const outputs = readOutputs(stateDirectory);
  return [
    `Marquee already runs here (process ${processId}).`,
    ...(outputs === undefined ? [] : ['', ...addresses(outputs), '']),
    'Stop it with Ctrl-C in its terminal, or start another system: npm start -- --state-dir <folder> --ports 6200',
  ].join('\n');
};

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const rows = (entries: readonly (readonly [string, string])[]): readonly string[] =>
  entries.map(([name, value]) => `  ${name.padEnd(22)}${value}`);

const addresses = (outputs: Outputs): readonly string[] =>
  rows([
    ['Base API', outputs.base_url],
    ['Business-to-business', outputs.api_url_b2b],
    ['Profile API', outputs.api_url_profile],
    ['AWS endpoint', outputs.aws_endpoint_url],
    ['Chain', outputs.chain_rpc_url],
    ['OIDC issuer', outputs.oidc_issuer],
    ['Entitlement', outputs.entitlement_url],
    ['Geolocation', outputs.geolocation_url],
    ['Distribution', outputs.distribution_url],
  ]);

export const greeting = (outputs: Outputs, stateDirectory: string): string =>
  [
    'Marquee runs.',
    '',
    ...addresses(outputs),
    '',
    ...rows([
      ['Documentation', `${new URL(outputs.base_url).origin}/docs to read and try every call`],
      ['Player', `${new URL(outputs.base_url).origin}/player to watch as a viewer`],
      ['Demonstration', 'npm run demo, in a second terminal, walks through everything'],
    ]),
    '',
    'API keys',
    ...rows(outputs.applications.map(({ id, api_key }) => [id, api_key])),
    '',
    ...tryThis(outputs),
    `${join(stateDirectory, 'outputs.json')} contains these addresses and keys. Functions log to ${join(stateDirectory, 'logs')}.`,
    'Ctrl-C stops everything.',
  ].join('\n');

/** Each command contains all its values, so that it can be pasted into any shell. */
const tryThis = ({ base_url, applications }: Outputs): readonly string[] => {
  const [application] = applications;
  if (!application) return [];
  const contracts = `${base_url}/api/v1/nft/contracts`;
  const key = `-H 'x-api-key: ${application.api_key}'`;
  const newest = `curl -s '${contracts}?limit=1' ${key}`;
  const json = "-H 'content-type: application/json'";
  const collection = JSON.stringify({ name: 'First tickets', symbol: 'TICKET', chain: 'MATIC' });
  const mint = JSON.stringify({ destination: receiver, metadata: { name: 'Seat 1', attributes: [] } });
  return [
    'Create a collection, show it (it is confirmed after a few seconds), and mint a token into it:',
    '',
    `curl -s -X POST '${contracts}' ${key} ${json} -d '${collection}'`,
    '',
    newest,
    '',
    `curl -s -X POST "${contracts}/$(${newest} | sed 's/.*"address":"\\([^"]*\\)".*/\\1/')/mint" ${key} ${json} -d '${mint}'`,
    '',
  ];
};
