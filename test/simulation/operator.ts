/**
 * The actions of operators while the service works: they raise fees, cancel transactions, drain signers and move
 * metadata.
 */
import type { Address } from '../../shared/chain/hex.ts';
import { setBase } from '../../shared/nft/submit/set-base.ts';
import { bumpEntry, cancelEntry } from '../../shared/nft/waiter/operator-actions.ts';
import type { SimulatedChain } from './chain.ts';
import type { History } from './history.ts';
import { chainId } from './rpc-methods.ts';
import type { Scheduler } from './scheduler.ts';
import type { Service } from './service.ts';
import { between, oneOf, type Streams } from './streams.ts';

const actions = ['bump', 'cancel', 'cancel', 'drain', 'set base'] as const;

interface OperatorOptions {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly history: History;
  readonly service: Service;
  readonly chain: SimulatedChain;
  readonly keys: readonly [Address, ...Address[]];
  /** Draws a contract on which the operator acts. `undefined` while there is none. */
  readonly someContract: (
    random: () => number,
  ) => { readonly applicationId: string; readonly address: Address } | undefined;
}

export const createOperator = ({
  scheduler,
  streams,
  history,
  service,
  chain,
  keys,
  someContract,
}: OperatorOptions) => {
  const act = async (which: number): Promise<void> => {
    const random = streams.of(`operator ${which}`);
    const action = oneOf(random, actions);
    const address = oneOf(random, keys);
    const signer = `${chainId}#${address}`;
    const nonce = chain.countAt(chain.head(), address) + (action === 'bump' ? 0 : between(random, 0, 2));
    const contract = someContract(random);
    history.say('operator', `${action}, nonce ${nonce} of ${address.slice(-2)}`);
    await service.operator.invoke(`operator ${which}`, async (dependencies) => {
      const known = await dependencies.keys.find(signer);
      if (known === undefined) return;
      switch (action) {
        case 'bump':
          await bumpEntry({ ...dependencies, signer: known.signer }, { signer, nonce });
          return;
        case 'cancel':
          await cancelEntry({ ...dependencies, signer: known.signer }, { signer, nonce });
          return;
        case 'drain':
          await dependencies.signers.setDraining({ id: signer, isDraining: random() < 0.5 });
          return;
        case 'set base':
          if (contract === undefined) return;
          await setBase(dependencies, {
            applicationId: contract.applicationId,
            contract: contract.address,
            base: `https://metadata-${which}.example.com`,
          });
      }
    });
  };
  return {
    /** Ends the draining of all signers, so that every signer can be assigned again. */
    finish: (): Promise<void> =>
      service.operator.invoke('operator, at last', async ({ signers }) => {
        for (const address of keys) {
          const id = `${chainId}#${address}`;
          if ((await signers.find(id)) !== undefined) await signers.setDraining({ id, isDraining: false });
        }
      }),
    act: (which: number, at: number): void =>
      scheduler.at(at, () => {
        act(which).catch((error: unknown) => history.say('operator', `${which} fails: ${String(error)}`));
      }),
  };
};
