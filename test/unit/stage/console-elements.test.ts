import { afterEach, expect, it, vi } from 'vitest';

interface Stub {
  readonly tag: string;
  readonly children: unknown[];
}

afterEach(() => vi.unstubAllGlobals());

it('shows each field of an object in a record, as the command line does', async () => {
  vi.stubGlobal('document', {
    createElement: (tag: string): Stub & { append(...added: readonly unknown[]): void } => {
      const children: unknown[] = [];
      return { tag, children, append: (...added) => children.push(...added) };
    },
  });
  const script: string = '../../../operator/stage/console/page/elements.js';
  const { fields } = await import(/* @vite-ignore */ script);

  const list: Stub = fields({
    name: 'Demo',
    wallets: { origins: ['https://a.example', 'https://b.example'] },
    none: null,
  });

  expect((list.children as Stub[]).flatMap(({ children }) => children)).toEqual([
    'name',
    'Demo',
    'wallets.origins',
    'https://a.example, https://b.example',
  ]);
});
