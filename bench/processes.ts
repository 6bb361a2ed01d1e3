import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's counters of one process; only Linux has them. */
export interface ProcessUse {
  readonly pid: number;
  /** Of the program, as the kernel shortens it to 15 characters. */
  readonly name: string;
  /** Processor time of all its threads since it started. */
  readonly cpuMilliseconds: number;
  readonly residentMegabytes: number;
}

const clockTicksPerSecond = 100;
const pageBytes = 4_096;

/** A process that ended in between is `undefined`. */
const readStat = (pid: number) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and parentheses; what follows its last one is numbers (proc_pid_stat(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
      parent: Number(fields[1]),
      // Its own and that of children that have ended.
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      pages: Number(fields[21]),
    };
  } catch {
    return undefined;
  }
};

/** The process and all its descendants, the process itself first. */
export const processTreeUse = (root: number): readonly ProcessUse[] => {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const stats = new Map(pids.map((pid) => [pid, readStat(pid)]));
  const tree = [root];
  for (const member of tree) tree.push(...pids.filter((pid) => stats.get(pid)?.parent === member));
  return tree.flatMap((pid) => {
    const stat = stats.get(pid);
    if (stat === undefined) return [];
    return {
      pid,
      name: stat.name,
      cpuMilliseconds: (stat.ticks * 1_000) / clockTicksPerSecond,
      residentMegabytes: (stat.pages * pageBytes) / 1_048_576,
    };
  });
};

/** Processor time of the process and all that it started, since they started. */
export const processTreeCpuMilliseconds = (root: number): number =>
  processTreeUse(root).reduce((sum, { cpuMilliseconds }) => sum + cpuMilliseconds, 0);

/** Used processor time of the whole machine since its start, including time that the hypervisor gave to others. */
export const machineCpuMilliseconds = (): number => {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // Neither idle time nor that of guests, who are counted as users already (proc_stat(5)).
  const [user, nice, system, , , irq, softIrq, steal] = total.split(/\s+/).slice(1).map(Number);
  const ticks = [user, nice, system, irq, softIrq, steal].reduce<number>((sum, one = 0) => sum + one, 0);
  return (ticks * 1_000) / clockTicksPerSecond;
};

/** Processor time of a running system's own process and of its database, since they started. */
export const partsCpuMilliseconds = (root: number): { readonly node: number; readonly database: number } => {
  const tree = processTreeUse(root);
  const database = tree.find(({ name }) => name.startsWith('dynoxide'));
  return { node: tree[0]?.cpuMilliseconds ?? Number.NaN, database: database?.cpuMilliseconds ?? Number.NaN };
};
