import { copyTable } from '../../operator/stage/restore/copy-table.ts';
import { restorable } from '../../operator/stage/restore/tables.ts';
import { nothingUndecided } from '../../shared/nft/restored/undecided.ts';
import { nftItem } from '../../shared/nft/store/nft-items.ts';
import type { DocumentClient } from '../../shared/platform/store/client.ts';
import { embeddedTables } from './embedded-tables.ts';
import type { Measurement } from './measurement.ts';

const tokens = 20_000;
const million = 1_000_000;
const minutesAtMost = 10;

function* tokenItems(): Generator<Record<string, unknown>> {
  for (let id = 1; id <= tokens; id += 1) {
    yield nftItem({
      applicationId: 'bench',
      contract: `0x${(id % 7).toString(16).padStart(40, '0')}`,
      tokenId: String(id),
      destination: `0x${id.toString(16).padStart(40, '0')}`,
      metadata: {
        name: `Seat ${id}`,
        description: 'A seat of the opening night',
        image: `https://images.example.com/${id}.png`,
        image_preview: null,
        image_thumbnail: null,
        background_color: null,
        animation_url: null,
        youtube_url: null,
        attributes: [{ trait_type: 'row', value: String(id % 40), display_type: null }],
      },
      status: 'confirmed',
      createdAt: '2026-11-20T09:15:02.123Z',
      nonce: id,
      transactionHash: `0x${id.toString(16).padStart(64, '0')}`,
    });
  }
}

/** A client that adds up how long its writes take. */
const timed = (client: DocumentClient) => {
  let [milliseconds, calls] = [0, 0];
  const transactWrite: DocumentClient['transactWrite'] = async (input) => {
    const began = performance.now();
    try {
      return await client.transactWrite(input);
    } finally {
      milliseconds += performance.now() - began;
      calls += 1;
    }
  };
  return { client: { ...client, transactWrite }, taken: () => ({ milliseconds, calls }) };
};

/** Restores a table of tokens of which all are lost, and then again, when none is. */
export const measureRestore = async (): Promise<Measurement[]> => {
  await using tables = await embeddedTables([
    { declaredAs: 'Nfts', tableName: 'restored', items: tokenItems() },
    { declaredAs: 'Nfts', tableName: 'live', items: [] },
  ]);
  const { client, taken } = timed(tables.documents);
  const states = {
    live: { client, tableName: 'live' },
    restored: { client, tableName: 'restored' },
  };
  const table = restorable.nfts.of(states, {
    liveName: () => '',
    signing: 'none',
    undecided: nothingUndecided(),
    mintedAfter: () => Promise.reject(new Error('no counter is lost')),
    toldAbout: () => Promise.reject(new Error('nothing is pending')),
  });
  const run = async (): Promise<{ readonly seconds: number; readonly written: number }> => {
    const began = performance.now();
    const counts = await copyTable({ ...states, table, clock: Date.now });
    const written = counts.reduce((sum, count) => sum + count.written, 0);
    return { seconds: (performance.now() - began) / 1_000, written };
  };
  const minutesOf = ({ seconds }: { readonly seconds: number }): number =>
    ((seconds / tokens) * million) / 60;

  const lost = await run();
  const { milliseconds, calls } = taken();
  const kept = await run();

  return [
    {
      name: `1,000,000 lost items come back, by ${tokens} (at most ${minutesAtMost})`,
      value: minutesOf(lost),
      unit: 'min',
      holds: lost.written === tokens && minutesOf(lost) <= minutesAtMost,
    },
    { name: '  writes at the same time', value: milliseconds / 1_000 / lost.seconds, unit: '' },
    { name: '  items in a write', value: lost.written / calls, unit: '' },
    { name: '  a write', value: milliseconds / calls, unit: 'ms' },
    {
      name: '1,000,000 items that are there are compared',
      value: minutesOf(kept),
      unit: 'min',
      holds: kept.written === 0,
    },
  ];
};
