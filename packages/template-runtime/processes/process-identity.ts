import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A pid can be reused, but no two processes have the same pid and start time. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** `undefined` when there is no such process, or it is a zombie. */
export const identifyProcess = (pid: number): ProcessIdentity | undefined => {
  const startedAt = existsSync('/proc/self/stat') ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
};

export const isRunning = ({ pid, startedAt }: ProcessIdentity): boolean =>
  identifyProcess(pid)?.startedAt === startedAt;

/**
 * Reads `/proc/<pid>/stat` (proc(5)). Field 3 is the state, and field 22 is the start time in clock ticks since boot.
 * Field 2 may contain any characters, so the fields are counted from its closing parenthesis.
 */
const startFromProc = (pid: number): string | undefined => {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z' || fields[0] === 'X';
  return isZombie ? undefined : `${bootId()}/${fields[19]}`;
};

/** Start times count from the last boot, so they are unique only together with the boot's id. */
const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

const startFromPs = (pid: number): string | undefined => {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [state, ...started] = ps.stdout.trim().split(/\s+/);
  return !state || state.startsWith('Z') ? undefined : started.join(' ');
};
