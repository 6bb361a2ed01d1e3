import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

const saved = z.looseObject({
  best_block_number: z.int(),
  blocks: z.array(
    z.looseObject({ header: z.looseObject({ number: z.templateLiteral(['0x', z.string()]) }) }),
  ),
  transactions: z.array(z.looseObject({ block_number: z.int() })),
});

/**
 * Unpacks the last result of `anvil_dumpState` into a file that anvil can load. Keeps only the latest `keptBlocks`
 * blocks, because anvil never drops old block headers and would write them all to every dump.
 *
 * @returns `false` when there is no saved state.
 */
export const unpackState = ({
  from,
  to,
  keptBlocks,
}: {
  readonly from: string;
  readonly to: string;
  readonly keptBlocks: number;
}): boolean => {
  if (!existsSync(from)) return false;
  const state = saved.parse(JSON.parse(gunzipSync(readFileSync(from)).toString('utf8')));
  const oldest = state.best_block_number - keptBlocks;
  const kept = {
    ...state,
    blocks: state.blocks.filter(({ header }) => Number(header.number) > oldest),
    transactions: state.transactions.filter((transaction) => transaction.block_number > oldest),
  };
  writeFileSync(to, JSON.stringify(kept));
  return true;
};
