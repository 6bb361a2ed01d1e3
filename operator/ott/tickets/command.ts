import { Command, InvalidArgumentError } from 'commander';
import { checksummed } from '../../../shared/chain/hex.ts';
import { VoidLimitReachedError } from '../../../shared/ott/errors.ts';
import { voidTokenAnswer } from '../../../shared/ott/http/void-operations.ts';
import { unvoidToken, voidToken } from '../../../shared/ott/tickets/void-token.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { readContractAddress } from '../../nft/contracts/base-address.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { ineffectiveVoids } from './ineffective-voids.ts';
import { ticketHoldingsOf, voidChangesOf, voidTicketsOf } from './ticket-stores.ts';

const tokenId = (text: string): string => {
  if (!/^(0|[1-9]\d{0,77})$/.test(text) || BigInt(text) >= 2n ** 256n) {
    throw new InvalidArgumentError('Give the id of a token in decimal digits.');
  }
  return text;
};

const voidCommand = () =>
  new Command('void')
    .description('mark a token of any contract as void: it gives access to no event, whoever holds it')
    .argument('<contract>', 'the address of the collection')
    .argument('<id>', 'the token', tokenId)
    .action(async (written: string, id: string, _: unknown, command: Command) => {
      const contract = readContractAddress(written);
      const { target, output } = await operatorOf(command);
      const voidChanges = voidChangesOf(target);
      try {
        const token = await voidToken(
          { voidChanges, clock: systemClock },
          { contract, tokenId: id, by: 'tickets void' },
        );
        output.fields(voidTokenAnswer(token));
      } catch (cause) {
        if (!(cause instanceof VoidLimitReachedError)) throw cause;
        const message = `${cause.message}: see\n${target.command(`tickets list ${contract}`)}`;
        throw new OperatorError({ message, cause });
      }
      const { ticketSeconds } = stageSettings(target.stage).ott;
      output.remark(
        `A viewer who is playing an event with this token is stopped within ${ticketSeconds} seconds.`,
      );
      const ofToken = {
        ofContracts: async () => new Map([[contract, [{ contract, tokenId: id, voidedAt: 0 }]]]),
      };
      const holdings = ticketHoldingsOf(target);
      for (const sentence of await ineffectiveVoids({ voidTickets: ofToken, holdings }, [contract])) {
        output.remark(`${sentence}.`);
      }
    });

const unvoid = () =>
  new Command('unvoid')
    .description('let a void token give access to events again')
    .argument('<contract>', 'the address of the collection')
    .argument('<id>', 'the token', tokenId)
    .action(async (written: string, id: string, _: unknown, command: Command) => {
      const contract = readContractAddress(written);
      const { target, output } = await operatorOf(command);
      const wasVoid = await unvoidToken(
        { voidChanges: voidChangesOf(target), clock: systemClock },
        { contract, tokenId: id, by: 'tickets unvoid' },
      );
      if (!wasVoid) throw new OperatorError({ message: `Token ${id} of ${written} is not void.` });
      output.fields({ contract_address: checksummed(contract), id, void: false });
    });

const list = () =>
  new Command('list')
    .description('show the void tokens of all collections, or of one')
    .argument('[contract]', 'the address of the collection')
    .action(async (written: string | undefined, _: unknown, command: Command) => {
      const contract = written === undefined ? undefined : readContractAddress(written);
      const { target, output } = await operatorOf(command);
      const rows = [];
      for await (const token of voidTicketsOf(target).all()) {
        if (contract === undefined || token.contract === contract) rows.push(voidTokenAnswer(token));
      }
      output.rows(['contract_address', 'id', 'voided_at'], rows);
    });

export const tickets = (): Command =>
  new Command('tickets')
    .description('tokens that give their holders access to events')
    .addCommand(voidCommand())
    .addCommand(unvoid())
    .addCommand(list());
