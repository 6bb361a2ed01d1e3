import { vi } from 'vitest';

/** Sets a global `Hls` with as much of hls.js as pages use. Returns the event handlers of each player that is made. */
export const stubHls = () => {
  const players: Record<string, (name: string, data: object) => void>[] = [];
  vi.stubGlobal(
    'Hls',
    class {
      static readonly Events = { MANIFEST_PARSED: 'parsed', ERROR: 'error' };
      readonly handlers: Record<string, (name: string, data: object) => void> = {};
      constructor() {
        players.push(this.handlers);
      }
      on(name: string, handler: (name: string, data: object) => void) {
        this.handlers[name] = handler;
      }
      loadSource() {}
      attachMedia() {}
      destroy() {}
    },
  );
  return players;
};
