import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import * as z from 'zod';
import type { Counted } from '../../../operator/stage/scale/counted-units.ts';
import type { System } from '../../../test/support/platform/system.ts';
import { percentile } from '../measurement.ts';

const units = z.record(z.string(), z.record(z.string(), z.object({ read: z.number(), write: z.number() })));
const calls = z.record(z.string(), z.record(z.string(), z.object({ answered: z.number() })));
const page = z.object({
  databaseUnits: units,
  partitionWrites: z.record(z.string(), z.record(z.string(), z.number())),
  databaseCalls: calls,
  otherCalls: z.record(z.string(), z.record(z.string(), z.number())),
});

/** `Marquee-local-NftCallsMintTokenFunction730D3C1C` becomes `MintToken`. */
const shortName = (name: string): string =>
  name.replace(/^Marquee-local-/, '').replace(/(Function|Table)?(-?[0-9a-fA-F]{8})?$/, '');

const report = /^REPORT RequestId: \S+\tDuration: ([\d.]+) ms\t.*Memory Size: (\d+) MB/;
/** Lines that are not counted: on AWS, with `SystemLogLevel` WARN, Lambda writes them only for calls that fail. */
const platformLine = /^(START|END|REPORT) RequestId: /;
const accessLine = z.object({ responseLength: z.coerce.number() });
/** Estimated size of a response's status line and headers. */
const headerBytes = 600;

const sizesOf = (directory: string): Map<string, number> =>
  new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, statSync(path).size]),
  );

const readFrom = (path: string, from: number): string => {
  const buffer = Buffer.alloc(statSync(path).size - from);
  const descriptor = openSync(path, 'r');
  readSync(descriptor, buffer, 0, buffer.length, from);
  closeSync(descriptor);
  return buffer.toString('utf8');
};

/**
 * The percentile of the durations that is reported. It is low because other programs on the machine only ever make
 * calls slower.
 */
const undisturbedShare = 0.1;

const quietMilliseconds = 4_000;
const minus = (after = 0, before = 0): number => after - before;

export const systemCounts = (system: System) => {
  const logs = join(system.stateDirectory, 'logs');
  const faults = `${system.aws.endpoint}/_faults`;
  const look = async () => page.parse(await (await fetch(faults)).json());
  const cloudWatch = new CloudWatchClient(system.aws);
  const published = async (): Promise<number> => {
    const Dimensions = [{ Name: 'TopicName', Value: system.outputs.topic_arn.split(':').at(-1) }];
    const Metric = { Namespace: 'AWS/SNS', MetricName: 'NumberOfMessagesPublished', Dimensions };
    const { MetricDataResults = [] } = await cloudWatch.send(
      new GetMetricDataCommand({
        StartTime: new Date(Date.now() - 86_400_000),
        EndTime: new Date(Date.now() + 60_000),
        MetricDataQueries: [{ Id: 'published', MetricStat: { Metric, Period: 60, Stat: 'Sum' } }],
      }),
    );
    return MetricDataResults[0]?.Values?.reduce((sum, value) => sum + value, 0) ?? 0;
  };
  /** Waits until no function writes to the database. Functions on a schedule may still read from it. */
  const quiet = async (): Promise<void> => {
    const written = async () =>
      JSON.stringify(
        Object.values((await look()).databaseUnits).map((each) =>
          Object.values(each).map(({ write }) => write),
        ),
      );
    for (let before = await written(); ; ) {
      await delay(quietMilliseconds);
      const now = await written();
      if (now === before) return;
      before = now;
    }
  };

  return {
    start: async (): Promise<void> => {
      const body = JSON.stringify({ database: { countsUnits: true } });
      await (await fetch(faults, { method: 'PUT', body })).arrayBuffer();
    },
    look,
    quiet,
    /** Runs `work`, and returns its use of AWS, including everything that it triggers, divided by `count`. */
    of: async (count: number, work: () => Promise<void>): Promise<Counted> => {
      await quiet();
      const [before, sizes, publishedBefore] = [await look(), sizesOf(logs), await published()];
      await work();
      await quiet();
      const after = await look();
      const counted = {
        requests: 0,
        bytesOut: 0,
        logBytes: 0,
        read: 0,
        write: 0,
        signatures: 0,
        published: (await published()) - publishedBefore,
        delivered: 0,
        queueCalls: 0,
      };
      const functions: Record<string, Counted['functions'][string]> = {};
      const writes: Record<string, number> = {};
      for (const [caller, tables] of Object.entries(after.databaseUnits)) {
        if (!caller.startsWith('Marquee-')) continue;
        for (const [table, { read, write }] of Object.entries(tables)) {
          const earlier = before.databaseUnits[caller]?.[table];
          counted.read += minus(read, earlier?.read);
          counted.write += minus(write, earlier?.write);
          const name = shortName(table);
          writes[name] = (writes[name] ?? 0) + minus(write, earlier?.write) / count;
        }
      }
      const partitions: Record<string, number> = {};
      for (const [place, keys] of Object.entries(after.partitionWrites)) {
        const [table = '', index] = place.split('/');
        const written = Object.entries(keys).map(
          ([key, all]) => all - (before.partitionWrites[place]?.[key] ?? 0),
        );
        const name = [shortName(table), ...(index === undefined ? [] : [index])].join('/');
        const most = Math.max(...written);
        if (most > 0) partitions[name] = most / count;
      }
      for (const path of sizesOf(logs).keys()) {
        const text = readFrom(path, sizes.get(path) ?? 0);
        const lines = text.split('\n').slice(0, -1);
        const bytes = (some: readonly string[]) =>
          some.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
        if (path.includes('/logs/access-')) {
          counted.requests += lines.length;
          counted.logBytes += bytes(lines);
          for (const line of lines) {
            counted.bytesOut += accessLine.parse(JSON.parse(line)).responseLength + headerBytes;
          }
        } else if (path.includes('/logs/sns/')) {
          counted.logBytes += bytes(lines);
          // Deliveries to queues cost nothing.
          counted.delivered += lines.filter((line) => !line.includes('"destination":"arn:')).length;
        } else if (path.includes('/logs/Marquee-')) {
          counted.logBytes += bytes(lines.filter((line) => !platformLine.test(line)));
          const name = path.slice(path.lastIndexOf('/') + 1, -'.log'.length);
          const reports = lines.map((line) => report.exec(line)).filter((found) => found !== null);
          if (reports.length === 0) continue;
          const database = (counts: z.output<typeof page>) =>
            Object.values(counts.databaseCalls[name] ?? {}).reduce((sum, { answered }) => sum + answered, 0);
          const others = (counts: z.output<typeof page>) =>
            Object.values(counts.otherCalls[name] ?? {}).reduce((sum, each) => sum + each, 0);
          const serviceCalls = database(after) - database(before) + others(after) - others(before);
          const made = (operation: string): number => {
            const of = (counts: z.output<typeof page>) => counts.otherCalls[name]?.[operation];
            return minus(of(after), of(before));
          };
          // For each call of the function, Lambda's poller makes two calls to SQS: it receives messages and deletes
          // them.
          counted.queueCalls +=
            made('AmazonSQS.SendMessage') + (name.includes('RecordNotifications') ? 2 * reports.length : 0);
          counted.signatures += made('TrentService.Sign');
          functions[shortName(name)] = {
            calls: reports.length / count,
            megabytes: Number(reports[0]?.[2]),
            milliseconds: percentile(
              reports.map(([, milliseconds]) => Number(milliseconds)),
              undisturbedShare,
            ),
            serviceCalls: serviceCalls / reports.length,
          };
        }
      }
      const each = Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, value / count]));
      return { ...(each as typeof counted), functions, writes, partitions };
    },
  };
};
