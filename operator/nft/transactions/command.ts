import { Command } from 'commander';
import { formatGwei } from 'viem/utils';
import type { Signer } from '../../../shared/nft/ports/chain.ts';
import { addressOfSigner, type LoggedEntry, lastAttempt } from '../../../shared/nft/transactions/entry.ts';
import {
  bumpEntry,
  cancelEntry,
  mintsBehind,
  type OperatorActionOutcome,
} from '../../../shared/nft/waiter/operator-actions.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import type { Target } from '../../platform/target/target.ts';
import { ageText, duration, gwei, naturalNumber } from '../../platform/terminal/arguments.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { amount, type Output, Shown } from '../../platform/terminal/output.ts';
import { unanswered } from '../chain/if-answered.ts';
import { type StageChain, stageChain } from '../chain/stage-chain.ts';
import { chosenEntry, listedSigners } from './chosen-signer.ts';
import { entryReport } from './entry-report.ts';
import { isBeingCancelled, type OpenNonce, openNonces, purposeFields, purposeText } from './open-entries.ts';

const signerOption = [
  '--signer <address>',
  "one of the stage's signers by its number, or any signer by its address; without it, all of the stage's",
] as const;

const stuckAfterMilliseconds = 5 * 60_000;

const placeText = (place: OpenNonce['place']): string | undefined =>
  place === 'nonce-used' ? 'nonce used, transaction not found' : place;

const rowOf = ({ signer, nonce, entry, place, age }: OpenNonce, number: number | undefined) => ({
  nonce,
  signer: new Shown(signer, { text: String(number ?? addressOfSigner(signer)), isNumber: true }),
  ...(entry === undefined ? { kind: '(no entry)' } : purposeFields(entry)),
  age: age === undefined ? undefined : ageText(age),
  place:
    entry !== undefined && isBeingCancelled(entry) ? `${placeText(place)}, cancelling` : placeText(place),
  attempts: entry?.attempts.length,
  max_fee_gwei: entry && amount(formatGwei(lastAttempt(entry).maxFeePerGas)),
});

const list = () =>
  new Command('list')
    .description('show every nonce that is not final, and its state on the chain')
    .option('--stuck [time]', 'only nonces that are older than this (5m if no time is given)', duration)
    .option(...signerOption)
    .action(
      async (
        { stuck, signer }: { readonly stuck?: number | true; readonly signer?: string },
        command: Command,
      ) => {
        const { target, output } = await operatorOf(command);
        const dependencies = stageChain(target, output);
        const ids = await listedSigners(dependencies, signer);
        const known = await dependencies.keys.list();
        const numbers = new Map(known.map(({ id, signer: { number } }) => [id, number]));
        const open = (await Promise.all(ids.map((id) => openNonces(dependencies, id)))).flat();
        const least = stuck === true ? stuckAfterMilliseconds : (stuck ?? 0);
        const shown = open.filter(({ age }) => least === 0 || (age ?? 0) >= least);
        output.rows(
          [
            'nonce',
            'signer',
            'kind',
            'application',
            'contract',
            'token',
            'age',
            'place',
            'attempts',
            'max_fee_gwei',
          ],
          shown.map((each) => rowOf(each, numbers.get(each.signer))),
          { dispensable: ['attempts', 'application', 'contract'] },
        );
        if (open.some(({ place }) => place === 'unknown')) {
          output.remark(unanswered('their state on the chain is unknown'));
        }
        output.remark(`Nonces that are not final: ${open.length}. Shown: ${shown.length}.`);
      },
    );

const show = () =>
  new Command('show')
    .description("show a nonce's log entry with every transaction that was signed for it")
    .argument('<nonce>', 'its nonce', naturalNumber)
    .option(...signerOption)
    .action(async (nonce: number, { signer }: { readonly signer?: string }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const dependencies = stageChain(target, output);
      const found = await entryReport(dependencies, await chosenEntry(dependencies, { nonce, signer }));
      output.fields(found);
      if (found.attempts.some(({ place }) => place === 'unknown')) {
        output.remark(unanswered('its state on the chain is unknown'));
      }
    });

const report = (
  { target, output }: { readonly target: Target; readonly output: Output },
  intervention: OperatorActionOutcome,
  signer: Signer,
): void => {
  if (intervention.outcome === 'refused') throw new OperatorError({ message: intervention.reason });
  const { entry, broadcast } = intervention;
  const { hash, maxFeePerGas, maxPriorityFeePerGas } = lastAttempt(entry);
  output.fields({
    nonce: entry.nonce,
    hash,
    max_fee_gwei: amount(formatGwei(maxFeePerGas)),
    tip_gwei: amount(formatGwei(maxPriorityFeePerGas)),
    node_said: broadcast.outcome,
  });
  if (broadcast.outcome !== 'accepted') {
    output.remark(
      `The transaction is logged, and the waiter sends it again; the node said: ${broadcast.detail}`,
    );
  }
  output.remark(
    `Follow it:\n${target.command(`transactions show ${entry.nonce} --signer ${signer.number}`)}`,
  );
};

/**
 * Adds the entry's signer to the dependencies, because only that signer's key can sign for its nonces.
 *
 * @throws OperatorError when the entry's outcome is already final, or the key is no longer in the stage.
 */
const interventionOf = async (dependencies: StageChain, { signer: id, nonce, status }: LoggedEntry) => {
  if (status !== 'pending') throw new OperatorError({ message: `Nonce ${nonce} is ${status}.` });
  const known = await dependencies.keys.find(id);
  if (known === undefined) throw new OperatorError({ message: `The stage has no key of signer ${id}.` });
  return { ...dependencies, signer: known.signer };
};

const bumpCommand = () =>
  new Command('bump')
    .description(
      'raise the fees of the first waiting nonce now, without waiting for the automatic replacement',
    )
    .argument('<nonce>', 'its nonce', naturalNumber)
    .option(...signerOption)
    .action(async (nonce: number, { signer }: { readonly signer?: string }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const dependencies = stageChain(target, output);
      const entry = await chosenEntry(dependencies, { nonce, signer });
      const own = await interventionOf(dependencies, entry);
      report({ target, output }, await bumpEntry(own, entry), own.signer);
    });

const consequenceOf = async (dependencies: StageChain, entry: LoggedEntry): Promise<string> => {
  const { purpose } = entry;
  const state = await dependencies.signers.find(entry.signer);
  const behind = await mintsBehind(dependencies, { entry, nextNonce: state?.nextNonce ?? entry.nonce + 1 });
  const whose = 'applicationId' in purpose ? ` of application ${purpose.applicationId}` : '';
  const also = behind === 0 ? '' : `, and the ${behind === 1 ? 'mint' : `${behind} mints`} into it`;
  return `Cancel nonce ${entry.nonce}, ${purposeText(purpose)}${whose}${also}? Unless the transaction is mined first, it fails for good.`;
};

const cancelCommand = () =>
  new Command('cancel')
    .description(
      'replace the transaction at a nonce with a noop; its contract or token is then marked as failed, unless the original transaction is mined first',
    )
    .argument('<nonce>', 'its nonce', naturalNumber)
    .option(
      '--fee-ceiling <gwei>',
      "offer up to this much for a unit of gas, even above the stage's fee ceiling",
      gwei,
    )
    .option(...signerOption)
    .option(...yesOption)
    .action(
      async (
        nonce: number,
        {
          feeCeiling,
          signer,
          yes,
        }: { readonly feeCeiling?: bigint; readonly signer?: string; readonly yes?: boolean },
        command: Command,
      ) => {
        const { target, output } = await operatorOf(command);
        const dependencies = stageChain(target, output);
        const entry = await chosenEntry(dependencies, { nonce, signer });
        const own = await interventionOf(dependencies, entry);
        await requireConsent({ question: await consequenceOf(dependencies, entry), yes });
        report(
          { target, output },
          await cancelEntry(own, { signer: entry.signer, nonce, feeCeiling }),
          own.signer,
        );
      },
    );

export const transactions = (): Command =>
  new Command('transactions')
    .description("the log of the signers' transactions")
    .addCommand(list())
    .addCommand(show())
    .addCommand(bumpCommand())
    .addCommand(cancelCommand());
