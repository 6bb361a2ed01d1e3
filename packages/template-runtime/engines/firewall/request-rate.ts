const partSeconds = 10;

interface Part {
  readonly startedAt: number;
  count: number;
}

/**
 * Counts requests within a window that ends now. The requests of ten seconds are forgotten together, so the window is
 * up to ten seconds longer than it is set. WAF counts approximately too.
 */
export class RequestRate {
  readonly #windowMilliseconds: number;
  readonly #parts = new Map<string, Part[]>();
  #sweptAt = 0;

  constructor(windowSeconds: number) {
    this.#windowMilliseconds = windowSeconds * 1_000;
  }

  /** Counts one request of an instance. Returns how many the instance has made within the window, with this one. */
  count(instance: string, now: number): number {
    this.#sweep(now);
    const startedAt = now - (now % (partSeconds * 1_000));
    const parts = this.#recent(this.#parts.get(instance) ?? [], now);
    const last = parts.at(-1);
    if (last?.startedAt === startedAt) last.count += 1;
    else parts.push({ startedAt, count: 1 });
    this.#parts.set(instance, parts);
    return parts.reduce((sum, { count }) => sum + count, 0);
  }

  #recent(parts: Part[], now: number): Part[] {
    const isOver = ({ startedAt }: Part) => startedAt + partSeconds * 1_000 <= now - this.#windowMilliseconds;
    return parts.some(isOver) ? parts.filter((part) => !isOver(part)) : parts;
  }

  /** Forgets the instances that made no request within the window. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < this.#windowMilliseconds) return;
    this.#sweptAt = now;
    for (const [instance, parts] of this.#parts) {
      if (this.#recent(parts, now).length === 0) this.#parts.delete(instance);
    }
  }
}
