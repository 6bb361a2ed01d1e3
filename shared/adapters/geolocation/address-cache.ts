import type { Clock } from '../../clock.ts';

/** Countries by address, the least recently used dropped first. Kept for the life of a process. */
export class AddressCache {
  readonly #entries = new Map<string, { readonly country: string; readonly expiresAt: number }>();
  readonly #capacity: number;
  readonly #lifetimeMilliseconds: number;
  readonly #clock: Clock;

  constructor({
    capacity,
    lifetimeMilliseconds,
    clock,
  }: {
    readonly capacity: number;
    readonly lifetimeMilliseconds: number;
    readonly clock: Clock;
  }) {
    this.#capacity = capacity;
    this.#lifetimeMilliseconds = lifetimeMilliseconds;
    this.#clock = clock;
  }

  get(address: string): string | undefined {
    const entry = this.#entries.get(address);
    if (entry === undefined) return undefined;
    // A Map iterates in order of insertion: what is put in again becomes the newest.
    this.#entries.delete(address);
    if (entry.expiresAt <= this.#clock()) return undefined;
    this.#entries.set(address, entry);
    return entry.country;
  }

  set(address: string, country: string): void {
    this.#entries.delete(address);
    this.#entries.set(address, { country, expiresAt: this.#clock() + this.#lifetimeMilliseconds });
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
