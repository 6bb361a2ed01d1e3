export * from './b2b-calls.ts';
export type { CallOptions, WriteOptions } from './calls.ts';
export * from './client.ts';
export * from './errors.ts';
export type { components, paths } from './generated/schema.ts';
export type { ClientOptions } from './http.ts';
export type { RetryOptions } from './retry.ts';
