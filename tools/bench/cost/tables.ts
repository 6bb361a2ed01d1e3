import { prod } from '../../../config/prod.ts';
import {
  type Counted,
  type CountedUnits,
  entitlementMilliseconds,
  gasGwei,
  lambdaMilliseconds,
} from '../../../operator/stage/scale/counted-units.ts';
import { prices, tracedShare, type Unit } from './prices.ts';

const million = 1_000_000;
const secondsOfADay = 86_400;
/**
 * How many queries one list call causes on a busy evening, as the operator guide assumes. The number is below 1 because
 * most calls are answered from the environment's cache. The cache keeps the newest events of each index partition for
 * two seconds.
 */
const queriesOfAList = 0.2;
/** SNS accepts at most this many messages in one request. The messages of ten changes are far smaller than 64 KB. */
const messagesOfABatch = 10;
/**
 * Functions that run for as long as there is any work. Their cost does not depend on the number of operations, so the
 * bills leave it out.
 */
const paidByTime = /RunWaiter|WatchSigners/;

type Quantities = Partial<Record<Unit, number>>;

/** The units of each priced item that `count` operations consume in total, if one operation consumes `counted`. */
const quantitiesOf = (counted: Counted, count = 1, waitMilliseconds = 0): Quantities => {
  const functions = Object.entries(counted.functions)
    .filter(([name]) => !paidByTime.test(name))
    .map(([, each]) => each);
  const sum = (of: (one: Counted['functions'][string]) => number): number =>
    functions.reduce((total, one) => total + of(one), 0);
  const each: Quantities = {
    signature: counted.signatures,
    restCall: counted.requests,
    lambdaCall: sum(({ calls }) => calls),
    lambdaGbSecond: sum(
      (one) => (one.calls * (one.megabytes / 1_024) * lambdaMilliseconds(one, waitMilliseconds)) / 1_000,
    ),
    write: counted.write,
    read: counted.read,
    // The messages about one change are published together. A busy publisher puts those of several changes together.
    published: Math.ceil(counted.published / messagesOfABatch),
    delivered: counted.delivered,
    queueCall: counted.queueCalls,
    logKilobyte: counted.logBytes / 1_000,
    kilobyteOut: counted.bytesOut / 1_000,
    trace: sum(({ calls }) => calls) * tracedShare,
    firewall: counted.requests,
  };
  return Object.fromEntries(
    Object.entries(each).map(([unit, quantity]) => [unit, (quantity ?? 0) * count]),
  ) as Quantities;
};

const added = (...all: readonly Quantities[]): Quantities => {
  const total: Quantities = {};
  for (const one of all) {
    for (const [unit, quantity] of Object.entries(one) as [Unit, number][]) {
      total[unit] = (total[unit] ?? 0) + quantity;
    }
  }
  return total;
};

const dollarsOf = (quantities: Quantities): number =>
  (Object.entries(quantities) as [Unit, number][]).reduce(
    (sum, [unit, quantity]) => sum + quantity * prices[unit].price,
    0,
  );

/**
 * For each cost estimate, the quantities that AWS bills, in millions of units. An estimate is for a million operations,
 * such as mints, unless its name gives another number.
 */
export const bills = (units: CountedUnits) => {
  const list = (counted: Counted, waitMilliseconds = 0) =>
    quantitiesOf({ ...counted, read: queriesOfAList * units.listQueryUnits }, 50, waitMilliseconds);
  const mints = quantitiesOf(units.mint);
  return {
    'A million mints': mints,
    'A million mints, each with an `Idempotency-Key`': quantitiesOf(units.mintWithKey),
    'A million tokens, minted in batches of 95': quantitiesOf(units.batch, 1 / 95),
    'A million changes to user data: five applications are notified of each change and read the data in batches of 100 users':
      added(quantitiesOf(units.change), quantitiesOf(units.batchRead, 5 / 100)),
    'A million changes to user data: five applications are notified of each change and read the data of one user at a time':
      added(quantitiesOf(units.change), quantitiesOf(units.read, 5)),
    'Fifty million requests for a compressed list of 50 events, from viewers who are not signed in': list(
      units.list,
    ),
    'Fifty million requests for a compressed list of 50 events, from viewers who are signed in': list(
      units.listWithLogin,
      entitlementMilliseconds,
    ),
    'A million stream calls': quantitiesOf(units.stream, 1, entitlementMilliseconds),
  };
};
export type Bill = keyof ReturnType<typeof bills>;

/** The price of a million operations that consume this each, in US dollars. */
export const dollarsOfMillion = (counted: Counted): number => dollarsOf(quantitiesOf(counted));

/** In US dollars. */
export const totals = (units: CountedUnits) =>
  Object.fromEntries(
    Object.entries(bills(units)).map(([name, quantities]) => [name, dollarsOf(quantities)]),
  ) as Record<Bill, number>;

const money = (dollars: number): string => dollars.toFixed(2);
const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 });

const table = (name: string, quantities: Quantities): string => {
  const rows = (Object.entries(quantities) as [Unit, number][])
    .map(([unit, quantity]) => ({ unit, quantity, dollars: quantity * prices[unit].price }))
    .filter(({ dollars }) => dollars >= 0.005)
    .map(
      ({ unit, quantity, dollars }) =>
        `| ${prices[unit].name} | ${number(quantity)} M × $${prices[unit].price} | ${money(dollars)} |`,
    );
  return [
    `**${name}**`,
    '',
    '| | millions of units × price of a million units | $ |',
    '|---|---|---|',
    ...rows,
    `| **AWS in total** | | **${money(dollarsOf(quantities))}** |`,
  ].join('\n');
};

export const costTables = (units: CountedUnits): string => {
  const coins = (gas: number) => number((gas * gasGwei * million) / 1_000_000_000);
  const { mint, batch } = units.gas;
  const gas = [
    '## Gas',
    '',
    `Minting a million tokens on Polygon, to addresses that hold no token of the collection, at ${gasGwei} gwei for a unit of gas:`,
    '',
    '| | gas for each token | POL for a million tokens |',
    '|---|---|---|',
    `| tokens minted one by one | ${number(mint)} | ${coins(mint)} |`,
    `| tokens minted in batches of 95 | ${number(batch / 95)} | ${coins(batch / 95)} |`,
  ].join('\n');
  const leaked = [
    '## A leaked key',
    '',
    'A day on which somebody uses a leaked key of prod at its full rate ([what to do](runbook.md#a-customers-key-has-leaked)):',
    '',
    '| tier | calls a day, in thousands | $ for reads of one user each | $ for mints | POL for gas, unless `--mints-per-day` stops the mints |',
    '|---|---|---|---|---|',
    ...Object.entries(prod.tiers).map(([tier, { ratePerSecond, perDay = Number.POSITIVE_INFINITY }]) => {
      const calls = Math.min(perDay, ratePerSecond * secondsOfADay);
      const ofReads = dollarsOf(quantitiesOf(units.read)) * (calls / million);
      const ofMints = dollarsOf(quantitiesOf(units.mint)) * (calls / million);
      const gasCoins = coins((mint * calls) / million);
      return `| ${tier} | ${number(calls / 1_000)} | ${money(ofReads)} | ${money(ofMints)} | ${gasCoins} |`;
    }),
  ].join('\n');
  const all = Object.entries(bills(units)).map(([name, quantities]) => table(name, quantities));
  return [...all, gas, leaked].join('\n\n');
};

/** Replaces the text between the two comments. */
const between = (
  page: string,
  { begin, end, text }: { begin: string; end: string; text: string },
): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The guide lacks ${begin} or ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
};

export const withTables = (guide: string, tables: string): string =>
  between(guide, {
    begin: '<!-- costs: written by `npm run bench -- cost`, or by `node tools/scripts/write-costs.ts` -->',
    end: '<!-- end of costs -->',
    text: tables,
  });

export const withIdleTable = (guide: string, table: string): string =>
  between(guide, {
    begin: '<!-- idle costs: written by `node tools/scripts/write-costs.ts` -->',
    end: '<!-- end of idle costs -->',
    text: table,
  });
