import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { choosePorts, highestFirstPort, portNames, standardPorts } from './port-choice.mjs';
import type { Ports } from './ports.ts';

export interface CommandLineOptions {
  readonly ports: Ports;
  readonly stateDirectory: string;
  readonly fresh: boolean;
  readonly empty: boolean;
  readonly trustCa: string | undefined;
  readonly trustForwardedFor: boolean;
  readonly pageOrigins: readonly string[];
  readonly adverse: boolean;
  readonly failAt: string | undefined;
}

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
};

const originOf = (text: string, earlier: readonly string[]): readonly string[] => {
  const isOrigin = URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text);
  if (!isOrigin) {
    throw new InvalidArgumentError(
      'An origin is an address such as http://127.0.0.1:6180, without a path and without a slash at its end.',
    );
  }
  if (text.startsWith('http:') && !['127.0.0.1', 'localhost'].includes(new URL(text).hostname)) {
    throw new InvalidArgumentError('An origin begins with https://, http://127.0.0.1 or http://localhost.');
  }
  return [...earlier.filter((each) => each !== text), text];
};

const firstPort = (text: string): number => {
  const value = port(text);
  if (value >= 1 && value <= highestFirstPort) return value;
  throw new InvalidArgumentError(
    `The first of ${portNames.length} ports is a number from 1 to ${highestFirstPort}.`,
  );
};

const portOption = (name: keyof Ports, what: string): Option =>
  new Option(
    `--port-${name} <port>`,
    `${what}; 0 chooses a free port (default: ${standardPorts[name]})`,
  ).argParser(port);

/**
 * Parses the options of `npm start -- …`. If the options contain `--help` or a mistake, prints help and ends the
 * process.
 */
export const parseOptions = (argv: readonly string[]): CommandLineOptions => {
  const command = new Command('npm start --')
    .description('Deploys the service to this machine. It needs neither Docker nor an AWS account.')
    .addOption(
      new Option(
        '--ports <first>',
        `the first of ${portNames.length} consecutive ports, for all that have no option of their own`,
      ).argParser(firstPort),
    )
    .addOption(portOption('aws', 'port of the AWS endpoint'))
    .addOption(portOption('api', 'port of the three APIs'))
    .addOption(portOption('chain', "port of the chain's JSON-RPC"))
    .addOption(portOption('oidc', 'port of the OIDC issuer'))
    .addOption(portOption('entitlement', 'port of the entitlement service'))
    .addOption(portOption('geolocation', 'port of the geolocation service'))
    .addOption(portOption('distribution', 'port of the CDN that serves the streams'))
    .option('--fresh', 'delete the state of earlier runs first', false)
    .option('--empty', 'start without demonstration events and users', false)
    .addOption(
      new Option(
        '--page-origin <origin>',
        'origin of a page that plays streams and links wallets, such as http://127.0.0.1:6180; repeatable',
      )
        .argParser(originOf)
        .default([], 'only the player'),
    )
    .option('--trust-ca <file>', 'PEM file of a certificate authority to trust for HTTPS endpoints')
    .option('--trust-forwarded-for', "use X-Forwarded-For as the caller's address", false)
    .option('--fail-at <logical id>', 'make the deployment fail at this resource of the template')
    .option(
      '--adverse',
      'refuse or delay some calls and freeze functions, as AWS sometimes does; see packages/template-runtime/README.md',
      false,
    )
    .option(
      '--state-dir <folder>',
      'the folder for all state',
      fileURLToPath(new URL('../.local', import.meta.url)),
    )
    .addHelpText(
      'after',
      '\nSet the environment variable DYNAMODB_ENDPOINT to use another DynamoDB, such as DynamoDB Local.' +
        '\nPATIENCE=10 makes all deadlines of the service ten times longer, for a busy machine.' +
        '\nPorts are remembered for the next start. Ctrl-C stops everything.',
    )
    .allowExcessArguments(false)
    .parse([...argv], { from: 'user' });
  const options = command.opts<{
    portAws?: number;
    portApi?: number;
    portChain?: number;
    portOidc?: number;
    portEntitlement?: number;
    portGeolocation?: number;
    portDistribution?: number;
    ports?: number;
    fresh: boolean;
    empty: boolean;
    trustCa?: string;
    trustForwardedFor: boolean;
    adverse: boolean;
    pageOrigin: readonly string[];
    failAt?: string;
    stateDir: string;
  }>();
  const stateDirectory = resolve(options.stateDir);
  const single = {
    aws: options.portAws,
    api: options.portApi,
    chain: options.portChain,
    oidc: options.portOidc,
    entitlement: options.portEntitlement,
    geolocation: options.portGeolocation,
    distribution: options.portDistribution,
  };
  return {
    ports: choosePorts({ single, first: options.ports, stateDirectory }),
    stateDirectory,
    fresh: options.fresh,
    empty: options.empty,
    trustCa: options.trustCa === undefined ? undefined : resolve(options.trustCa),
    trustForwardedFor: options.trustForwardedFor,
    pageOrigins: options.pageOrigin,
    adverse: options.adverse,
    failAt: options.failAt,
  };
};
