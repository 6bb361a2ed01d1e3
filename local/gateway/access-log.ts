import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { type ContextVariables, renderTemplate } from './context-template.ts';

/** One line a request, in the format of the stage. */
export class AccessLog {
  readonly #format: string;
  readonly #stream: WriteStream;

  constructor({ format, path }: { readonly format: string; readonly path: string }) {
    mkdirSync(dirname(path), { recursive: true });
    this.#format = format;
    this.#stream = createWriteStream(path, { flags: 'a' });
  }

  write(variables: ContextVariables): void {
    this.#stream.write(`${renderTemplate(this.#format, { variables: escaped(variables), missing: '-' })}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(resolve));
  }
}

/** A value that a client chooses cannot break out of a string of the format. */
const escaped =
  (variables: ContextVariables): ContextVariables =>
  (name) => {
    const value = variables(name);
    return value === undefined ? undefined : JSON.stringify(value).slice(1, -1);
  };
