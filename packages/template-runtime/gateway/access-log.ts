import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ContextVariables, compileTemplate } from './context-template.ts';

export class AccessLog {
  readonly #render: ReturnType<typeof compileTemplate>;
  #descriptor: number | undefined;

  constructor({ format, path }: { readonly format: string; readonly path: string }) {
    mkdirSync(dirname(path), { recursive: true });
    this.#render = compileTemplate(format);
    this.#descriptor = openSync(path, 'a');
  }

  /** Does nothing after `close`, because a request that was cut off may still end. */
  write(variables: ContextVariables): void {
    if (this.#descriptor === undefined) return;
    const line = this.#render({ variables: escaped(variables), missing: '-' });
    writeSync(this.#descriptor, `${line}\n`);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Escapes client values so that they cannot break out of a string in the format. */
const escaped =
  (variables: ContextVariables): ContextVariables =>
  (name) => {
    const value = variables(name);
    return value === undefined ? undefined : JSON.stringify(value).slice(1, -1);
  };
