/** Makes calls through a set of ports fail at the point that a test names. */

export class Broken extends Error {}

export interface Fault {
  /** `port.method`, such as `transactionLog.record`. */
  readonly at: string;
  /** Whether the fault happens before or after the call itself. */
  readonly when: 'before' | 'after';
  /** `crash`: from then on, all calls through all ports fail, as when a process dies. `lost`: only this call fails. */
  readonly mode: 'crash' | 'lost';
  /** The number of calls of the method that succeed before the fault. @default 0 */
  readonly skip?: number;
}

export interface Faulty<Ports> {
  readonly ports: Ports;
  /** Whether the fault happened. If it did not, the test proves nothing. */
  readonly hasHappened: () => boolean;
}

/** The same ports, but every call goes through `run`. `method` is `port.method`. */
const around = <Ports extends Readonly<Record<string, object>>>(
  ports: Ports,
  run: (method: string, call: () => Promise<unknown>) => Promise<unknown>,
): Ports => {
  const wrap = (name: string, port: object) =>
    new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]) =>
          run(`${name}.${String(property)}`, async () => Reflect.apply(value, target, parameters) as unknown);
      },
    });
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, wrap(name, port)])) as Ports;
};

/** Otherwise, a test would wait for ever for a call of a method that does not exist. */
const requireMethod = (ports: Readonly<Record<string, object>>, at: string): void => {
  const [port = '', method = ''] = at.split('.');
  const value: unknown = Reflect.get(ports[port] ?? {}, method);
  if (typeof value !== 'function') throw new Error(`there is no method ${at}`);
};

export const withFault = <Ports extends Readonly<Record<string, object>>>(
  ports: Ports,
  { at, when, mode, skip = 0 }: Fault,
): Faulty<Ports> => {
  requireMethod(ports, at);
  let left = skip;
  let hasHappened = false;
  let isDead = false;

  const breakOff = (): never => {
    hasHappened = true;
    isDead = mode === 'crash';
    throw new Broken(`${mode} ${when} ${at}`);
  };

  const faulty = around(ports, async (method, call) => {
    if (isDead) throw new Broken('The process is gone');
    const isDue = !hasHappened && method === at && left-- <= 0;
    if (isDue && when === 'before') breakOff();
    const result = await call();
    if (isDue && !hasHappened) breakOff();
    if (isDead) throw new Broken('The process is gone');
    return result;
  });
  return { ports: faulty, hasHappened: () => hasHappened };
};

/** Holds the calls of `at` (`port.method`) until `goOn` is called. */
export const heldAt = <Ports extends Readonly<Record<string, object>>>(ports: Ports, at: string) => {
  requireMethod(ports, at);
  const reached = Promise.withResolvers<void>();
  const goingOn = Promise.withResolvers<void>();
  const held = around(ports, async (method, call) => {
    if (method === at) {
      reached.resolve();
      await goingOn.promise;
    }
    return call();
  });
  return { ports: held, isReached: reached.promise, goOn: goingOn.resolve };
};

/** Returns a function that gives `first` to its first caller and `then` to all later ones. */
export const firstThen = <Ports>(first: Ports, then: Ports): (() => Ports) => {
  let isFirst = true;
  return () => {
    const given = isFirst ? first : then;
    isFirst = false;
    return given;
  };
};
