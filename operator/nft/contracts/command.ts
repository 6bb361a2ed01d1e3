import { Command } from 'commander';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import { addressOfSigner, lastAttempt } from '../../../shared/nft/transactions/entry.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { applicationsOf, getApplication } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import { part } from '../../platform/terminal/counted.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import { withProgress } from '../../platform/terminal/progress.ts';
import { stageChain } from '../chain/stage-chain.ts';
import { contractsOf, nftsOf } from '../chain/stores.ts';
import { allContracts } from './all-contracts.ts';
import { readBase, readContractAddress } from './base-address.ts';
import { type BaseSetting, followToTheEnd, setBases } from './base-settings.ts';
import { contractRecord } from './contract-record.ts';

const list = () =>
  new Command('list')
    .description("show an application's collections, newest first")
    .argument('<application>', 'the application')
    .action(async (applicationId: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      await getApplication(applicationsOf(target), applicationId);
      const found = await allContracts(target, applicationId);
      output.rows(
        ['address', 'name', 'symbol', 'status', 'created_at', 'signer', 'nonce'],
        found.map(({ address, name, symbol, status, createdAt, signer, nonce }) => ({
          address: checksummed(address),
          name,
          symbol,
          status,
          created_at: createdAt,
          signer,
          nonce,
        })),
        { dispensable: ['symbol', 'created_at', 'nonce', 'signer'] },
      );
    });

const show = () =>
  new Command('show')
    .description('show a collection of any application, with its newest tokens')
    .argument('<address>', 'its address')
    .option('--tokens <number>', 'show at most this many tokens', positiveInteger, 10)
    .action(async (written: string, { tokens }: { readonly tokens: number }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const contract = await contractsOf(target).findPublic(readContractAddress(written));
      if (contract === undefined) throw new OperatorError({ message: `There is no contract ${written}.` });
      const { applicationId, address } = contract;
      const page = await nftsOf(target).list({ applicationId, contract: address, limit: tokens });
      output.fields(contractRecord(contract, page.items));
      if (page.next !== undefined)
        output.remark(`There are more than ${tokens} tokens: use --tokens to show more.`);
    });

const rowOf = ({ contract, entry, problem }: BaseSetting) => ({
  contract: checksummed(contract),
  nonce: entry?.nonce,
  status: entry?.status,
  hash: entry && lastAttempt(entry).hash,
  problem,
});

interface SetBaseOptions {
  readonly base: string;
  readonly all?: boolean;
  readonly wait?: boolean;
}

const chosenContracts = async (
  target: Target,
  {
    applicationId,
    written,
    all = false,
  }: { applicationId: string; written: readonly string[]; all?: boolean },
): Promise<Address[]> => {
  if (all !== (written.length === 0)) throw new UsageError({ message: 'Give contract addresses, or --all.' });
  if (!all) return written.map(readContractAddress);
  const found = await allContracts(target, applicationId);
  return found.filter(({ status }) => status !== 'failed').map(({ address }) => address);
};

const setBaseCommand = () =>
  new Command('set-base')
    .description('change the metadata address of collections after a move to another domain')
    .argument('<application>', 'the application that owns the collections')
    .argument('[contract...]', 'the addresses of the collections')
    .requiredOption(
      '--base <address>',
      'the new address, such as https://api.example.com; /api/v1/nft/contracts/… is appended',
    )
    .option('--all', 'all collections of the application, except those whose deployment failed')
    .option('--wait', 'return only when the outcome of every transaction is known')
    .action(async (applicationId: string, written: string[], options: SetBaseOptions, command: Command) => {
      const base = readBase(options.base);
      const { target, output } = await operatorOf(command);
      await getApplication(applicationsOf(target), applicationId);
      const contracts = await chosenContracts(target, { applicationId, written, all: options.all ?? false });
      const dependencies = { ...stageChain(target, output), contracts: contractsOf(target) };
      const settings = await withProgress(async (progress) => {
        const made = await setBases(dependencies, {
          changes: contracts.map((contract) => ({ applicationId, contract, base })),
          onProgress: (done) => progress.show(`${done} of ${contracts.length} sent`),
        });
        if (options.wait !== true) return made;
        return followToTheEnd(dependencies, made, {
          onProgress: (done) => progress.show(`${done} of ${made.length} final`),
        });
      });
      output.rows(['contract', 'nonce', 'status', 'hash', 'problem'], settings.map(rowOf));
      const entry = settings.find((setting) => setting.entry !== undefined)?.entry;
      if (options.wait !== true && entry !== undefined) {
        const words = `transactions show ${entry.nonce} --signer ${addressOfSigner(entry.signer)}`;
        output.remark(
          `Follow ${settings.length === 1 ? 'the transaction' : 'one of the transactions'}:\n${target.command(words)}`,
        );
      }
      const failed = settings.filter(({ problem }) => problem !== undefined);
      if (failed.length > 0) {
        throw new OperatorError({
          message: `${part(failed.length, settings.length, 'collection')} ${failed.length === 1 ? 'was' : 'were'} not changed.`,
        });
      }
    });

export const contracts = (): Command =>
  new Command('contracts')
    .description("customers' collections on the chain")
    .addCommand(list())
    .addCommand(show())
    .addCommand(setBaseCommand());
