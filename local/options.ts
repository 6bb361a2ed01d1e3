import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Ports } from './ports.ts';

export interface CommandLineOptions {
  readonly ports: Ports;
  readonly stateDirectory: string;
  readonly fresh: boolean;
  readonly empty: boolean;
  readonly trustCa: string | undefined;
  readonly trustForwardedFor: boolean;
  readonly adverse: boolean;
  readonly failAt: string | undefined;
}

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
};

const portOption = (name: keyof Ports, what: string, standard: number): Option =>
  new Option(`--port-${name} <port>`, `${what}; 0 chooses a free port`).argParser(port).default(standard);

/**
 * Parses the options of `npm start -- …`. If the options contain `--help` or a mistake, prints help and ends the
 * process.
 */
export const parseOptions = (argv: readonly string[]): CommandLineOptions => {
  const command = new Command('npm start --')
    .description('Deploys the service to this machine. It needs neither Docker nor an AWS account.')
    .addOption(portOption('aws', 'port of the AWS endpoint', 4566))
    .addOption(portOption('api', 'port of the three APIs', 3000))
    .addOption(portOption('chain', "port of the chain's JSON-RPC", 8545))
    .addOption(portOption('oidc', 'port of the OIDC issuer', 4570))
    .addOption(portOption('entitlement', 'port of the entitlement service', 4571))
    .addOption(portOption('geolocation', 'port of the geolocation service', 4572))
    .addOption(portOption('distribution', 'port of the CDN that serves the streams', 4573))
    .option('--fresh', 'delete the state of earlier runs first', false)
    .option('--empty', 'start without demonstration events and users', false)
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
        '\nCtrl-C stops everything.',
    )
    .allowExcessArguments(false)
    .parse([...argv], { from: 'user' });
  const options = command.opts<{
    portAws: number;
    portApi: number;
    portChain: number;
    portOidc: number;
    portEntitlement: number;
    portGeolocation: number;
    portDistribution: number;
    fresh: boolean;
    empty: boolean;
    trustCa?: string;
    trustForwardedFor: boolean;
    adverse: boolean;
    failAt?: string;
    stateDir: string;
  }>();
  return {
    ports: {
      aws: options.portAws,
      api: options.portApi,
      chain: options.portChain,
      oidc: options.portOidc,
      entitlement: options.portEntitlement,
      geolocation: options.portGeolocation,
      distribution: options.portDistribution,
    },
    stateDirectory: resolve(options.stateDir),
    fresh: options.fresh,
    empty: options.empty,
    trustCa: options.trustCa === undefined ? undefined : resolve(options.trustCa),
    trustForwardedFor: options.trustForwardedFor,
    adverse: options.adverse,
    failAt: options.failAt,
  };
};
