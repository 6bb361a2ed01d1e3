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
    throw new InvalidArgumentError('A port is a number up to 65535.');
  return value;
};

const portOption = (name: keyof Ports, what: string, standard: number): Option =>
  new Option(`--port-${name} <port>`, `${what}; 0 takes a free one`).argParser(port).default(standard);

/** Parses the options of `npm start -- …`. On `--help` or a mistake, prints help and ends the process. */
export const parseOptions = (argv: readonly string[]): CommandLineOptions => {
  const command = new Command('npm start --')
    .description('Deploys the service to this machine: no Docker, no AWS account.')
    .addOption(portOption('aws', 'where all AWS calls are answered', 4566))
    .addOption(portOption('api', 'where the three APIs are served', 3000))
    .addOption(portOption('chain', "the chain's JSON-RPC", 8545))
    .addOption(portOption('oidc', 'the OIDC issuer', 4570))
    .addOption(portOption('entitlement', 'the entitlement service', 4571))
    .addOption(portOption('geolocation', 'the geolocation service', 4572))
    .addOption(portOption('distribution', 'the distribution of the streams', 4573))
    .option('--fresh', 'forget all state of earlier runs first', false)
    .option('--empty', 'without demonstration events and users', false)
    .option('--trust-ca <file>', 'PEM of an authority under which HTTPS receivers are accepted')
    .option('--trust-forwarded-for', "take a caller's X-Forwarded-For for its address", false)
    .option('--fail-at <logical id>', 'have the deployment fail at this resource of the template')
    .option(
      '--adverse',
      'refuse, delay and freeze now and then as AWS does; see packages/template-runtime/README.md',
      false,
    )
    .option(
      '--state-dir <folder>',
      'where state is kept',
      fileURLToPath(new URL('../.local', import.meta.url)),
    )
    .addHelpText(
      'after',
      '\nDYNAMODB_ENDPOINT in the environment names another DynamoDB, such as DynamoDB Local.' +
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
