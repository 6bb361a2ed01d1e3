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
 * Writes the last result of `anvil_dumpState`, still gzipped, to a file that anvil loads; `false` when nothing was
 * saved. Blocks older than `keptBlocks` are dropped: anvil never drops their headers, and every dump would write them
 * all.
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
