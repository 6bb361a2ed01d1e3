import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's counters for one process. Only Linux has them. */
export interface ProcessUse {
  readonly pid: number;
  /** The program's name, which the kernel shortens to 15 characters. */
  readonly name: string;
  readonly cpuMilliseconds: number;
  readonly residentMegabytes: number;
}

const clockTicksPerSecond = 100;
const pageBytes = 4_096;

const readStat = (pid: number) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces and parentheses. All other fields come after its last parenthesis (proc_pid_stat(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
      parent: Number(fields[1]),
      // Processor time of the process, including that of its ended children.
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      pages: Number(fields[21]),
    };
  } catch {
    return undefined;
  }
};

/** The processor time and memory of a process and of each of its descendants. The process itself comes first. */
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

export const processTreeCpuMilliseconds = (root: number): number =>
  processTreeUse(root).reduce((sum, { cpuMilliseconds }) => sum + cpuMilliseconds, 0);

/**
 * Processor time that was used on the machine since its start, including the time that the hypervisor gave to other
 * machines.
 */
export const machineCpuMilliseconds = (): number => {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // Leaves out idle time, and guest time because user time includes it already (proc_stat(5)).
  const [user, nice, system, , , irq, softIrq, steal] = total.split(/\s+/).slice(1).map(Number);
  const ticks = [user, nice, system, irq, softIrq, steal].reduce<number>((sum, one = 0) => sum + one, 0);
  return (ticks * 1_000) / clockTicksPerSecond;
};

export const partsCpuMilliseconds = (root: number): { readonly node: number; readonly database: number } => {
  const tree = processTreeUse(root);
  const database = tree.find(({ name }) => name.startsWith('dynoxide'));
  return { node: tree[0]?.cpuMilliseconds ?? Number.NaN, database: database?.cpuMilliseconds ?? Number.NaN };
};
