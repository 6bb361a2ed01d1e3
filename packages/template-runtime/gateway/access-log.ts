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

  /** Does nothing after `close`: a request that the shutdown cut off may still end later. */
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

/** Escapes values that come from the client, so that they cannot end a JSON string in the log format. */
const escaped =
  (variables: ContextVariables): ContextVariables =>
  (name) => {
    const value = variables(name);
    return value === undefined ? undefined : JSON.stringify(value).slice(1, -1);
  };
