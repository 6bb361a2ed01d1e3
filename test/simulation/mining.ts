/** The events of the chain: a block every two seconds, or none; reorganizations; fees; an outsider with a key. */
import type { Address } from '../../shared/chain/hex.ts';
import { blockMilliseconds, type Sent, type SimulatedChain } from './chain.ts';
import type { SimulatedEndpoints } from './endpoints.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import type { Scheduler } from './scheduler.ts';
import { between, hexOf, type Streams } from './streams.ts';

const gwei = 1_000_000_000n;
const usualBaseFee = 30n * gwei;
/** Above the stage's ceiling. */
const highestBaseFee = 3_000n * gwei;

interface MiningOptions {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  readonly chain: SimulatedChain;
  readonly endpoints: SimulatedEndpoints;
  readonly keys: readonly Address[];
}

export interface Mining {
  /** Whether blocks that were final have been replaced. */
  wasTakenBack(): boolean;
  /** Whether an outsider has used a key. */
  wasKeyUsed(): boolean;
}

export const startMining = (options: MiningOptions): Mining => {
  const { scheduler, streams, faults, history, chain, endpoints, keys } = options;
  const random = streams.of('mining');
  let emptyUntil = 0;
  let finalityStallsUntil = 0;
  let wasTakenBack = false;
  let wasKeyUsed = false;

  const reorganize = (depth: number): void => {
    if (depth < 1) return;
    history.say('chain', `its newest ${depth} blocks are replaced`);
    endpoints.leaveBehind();
    const orphaned = chain
      .branch()
      .slice(-depth)
      .flatMap(({ mined }) => mined.map(({ sent }) => sent));
    const isTaken = orphaned.length > 0 && strikes('outsider: takes orphaned nonces');
    chain.reorganize(depth, {
      time: scheduler.now(),
      instead: isTaken ? orphaned.map(({ from, nonce }) => foreign(from, nonce)) : [],
    });
  };
  const strikes = (kind: Parameters<Faults['strike']>[0]): boolean => faults.strike(kind, 'chain');

  /** Creates a transaction of an outsider, about which the service knows nothing. */
  const foreign = (from: Address, nonce: number): Sent => {
    wasKeyUsed = true;
    history.say('outsider', `uses nonce ${nonce} of ${from.slice(-2)}`);
    const fee = 10n * chain.baseFee();
    const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee, gas: 21_000n };
    return { hash: hexOf(random, 32), from, nonce, to: from, data: '0x', ...fees };
  };

  const befall = (now: number): void => {
    const unfinal = chain.head().number - chain.finalHeight();
    if (strikes('chain: reorganization')) reorganize(Math.min(unfinal, between(random, 1, 5)));
    if (strikes('chain: final blocks replaced')) {
      wasTakenBack = true;
      reorganize(Math.min(chain.head().number, unfinal + between(random, 1, 8)));
    }
    if (strikes('chain: pool forgets')) {
      history.say('chain', 'all pools are emptied');
      chain.forgetPool();
    }
    if (strikes('chain: mines nothing')) emptyUntil = now + between(random, 4_000, 90_000);
    if (strikes('chain: nothing becomes final')) finalityStallsUntil = now + between(random, 10_000, 120_000);
    if (strikes('chain: fees rise')) {
      const risen = chain.baseFee() * BigInt(between(random, 2, 30));
      chain.setBaseFee(risen < highestBaseFee ? risen : highestBaseFee);
    }
    if (strikes('outsider: uses the key')) {
      const from = keys[Math.floor(random() * keys.length)];
      if (from === undefined) return;
      chain.useKey(foreign(from, chain.countAt(chain.head(), from)));
    }
  };

  const tell = (): void => {
    const { number, hash, mined } = chain.head();
    if (mined.length === 0) return;
    history.say('chain', () => {
      const texts = mined.map(
        ({ sent, isSuccess }) =>
          `nonce ${sent.nonce} of ${sent.from.slice(-2)} (${sent.hash.slice(0, 8)}${isSuccess ? '' : ', reverted'})`,
      );
      return `block ${number} ${hash} has ${texts.join(', ')}`;
    });
  };

  const next = (): void => {
    const now = scheduler.now();
    befall(now);
    chain.mine(now, !faults.haveEnded() && now < emptyUntil);
    if (faults.haveEnded() || now >= finalityStallsUntil) chain.advanceFinality();
    tell();
    const fee = chain.baseFee();
    const sinking = (fee * 19n) / 20n;
    chain.setBaseFee(faults.haveEnded() || sinking < usualBaseFee ? usualBaseFee : sinking);
    scheduler.at(now + blockMilliseconds, next);
  };
  scheduler.at(scheduler.now() + blockMilliseconds, next);

  return { wasTakenBack: () => wasTakenBack, wasKeyUsed: () => wasKeyUsed };
};
