import { afterEach, expect, it, vi } from 'vitest';

interface Stub {
  readonly listeners: Record<string, (event: object) => void>;
}

afterEach(() => vi.unstubAllGlobals());

it('looks again if the same text is sent again, although the address of the page stays the same', async () => {
  const made: Stub[] = [];
  const dispatchEvent = vi.fn();
  const location = { hash: '' };
  vi.stubGlobal('location', location);
  vi.stubGlobal('dispatchEvent', dispatchEvent);
  vi.stubGlobal('document', {
    createElement: (): Stub => {
      const listeners: Stub['listeners'] = {};
      const stub = {
        listeners,
        addEventListener: (name: string, listener: (event: object) => void) => {
          listeners[name] = listener;
        },
        setAttribute: () => {},
        append: () => {},
        focus: () => {},
      };
      made.push(stub);
      return stub;
    },
  });
  const script: string = '../../../operator/stage/console/page/find.js';
  const { showFind } = await import(/* @vite-ignore */ script);
  showFind({ append: () => {} }, { argument: '', stage: {} });
  const [box] = made;
  const send = () =>
    made.find(({ listeners }) => listeners.submit)?.listeners.submit?.({ preventDefault: () => {} });

  Object.assign(box ?? {}, { value: ' cup final ' });
  send();
  expect([location.hash, dispatchEvent.mock.calls.length]).toEqual(['#find/cup%20final', 0]);
  send();

  expect(dispatchEvent.mock.calls.map(([{ type }]) => type)).toEqual(['hashchange']);
});
