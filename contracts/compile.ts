/**
 * Compiles Collection.sol and OwnersOf.yul with the `solc` of package-lock.json. `node contracts/compile.ts` writes the
 * artifacts. The result depends only on the sources, the compiler and the settings below. It contains no path of the machine and no
 * metadata hash, so a second compilation gives the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import openZeppelin from '@openzeppelin/contracts/package.json' with { type: 'json' };
import * as z from 'zod';

const require = createRequire(import.meta.url);

const entry = 'contracts/Collection.sol';
const artifactUrl = new URL('./artifacts/collection.json', import.meta.url);
const readerEntry = 'contracts/OwnersOf.yul';
const readerUrl = new URL('./artifacts/owners-of-bytecode.ts', import.meta.url);
const bytecodeUrl = new URL('./artifacts/collection-bytecode.ts', import.meta.url);

/** `runs` weighs the cost of a call against the cost of a deployment. The gas tests rely on these values. */
const settings = {
  evmVersion: 'cancun',
  viaIR: true,
  optimizer: { enabled: true, runs: 1 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const;

const hexCode = z.object({ object: z.string().regex(/^[0-9a-f]+$/) });
const compilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(z.unknown()),
          evm: z.object({ bytecode: hexCode, deployedBytecode: hexCode }),
        }),
      ),
    )
    .default({}),
});

interface Compiler {
  version(): string;
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string;
}

export interface CollectionArtifact {
  readonly contractName: string;
  readonly compiler: string;
  /** The versions of the libraries that the sources import. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly settings: typeof settings;
  readonly abi: readonly unknown[];
  /** Creation code, without constructor arguments. */
  readonly bytecode: string;
  /** The code at the contract's address after the deployment. */
  readonly deployedBytecode: string;
}

function readSource(path: string): string {
  return readFileSync(
    path === entry ? new URL('./Collection.sol', import.meta.url) : require.resolve(path),
    'utf8',
  );
}

/** @throws Error with the compiler's messages. A warning counts as an error. */
export function compileCollection(): CollectionArtifact {
  const solc: Compiler = require('solc');
  const input = {
    language: 'Solidity',
    sources: { [entry]: { content: readSource(entry) } },
    settings: {
      ...settings,
      outputSelection: {
        [entry]: { Collection: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
      },
    },
  };

  const output = compilerOutput.parse(
    JSON.parse(solc.compile(JSON.stringify(input), { import: (path) => ({ contents: readSource(path) }) })),
  );

  const contract = output.contracts[entry]?.Collection;
  if (output.errors.length > 0 || contract === undefined) {
    throw new Error(
      output.errors.map((error) => error.formattedMessage).join('\n') || 'solc gave no contract',
    );
  }

  return {
    contractName: 'Collection',
    compiler: solc.version(),
    libraries: { [openZeppelin.name]: openZeppelin.version },
    settings,
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
  };
}

const readerOutput = z.object({
  contracts: z.object({
    [readerEntry]: z.object({ OwnersOf: z.object({ evm: z.object({ bytecode: hexCode }) }) }),
  }),
});

/** A module with the code of OwnersOf.yul. */
export function ownersOfModule(): string {
  const solc: Compiler = require('solc');
  const input = {
    language: 'Yul',
    sources: { [readerEntry]: { content: readFileSync(new URL('./OwnersOf.yul', import.meta.url), 'utf8') } },
    settings: {
      evmVersion: settings.evmVersion,
      optimizer: { enabled: true },
      outputSelection: { [readerEntry]: { OwnersOf: ['evm.bytecode.object'] } },
    },
  };
  const resolve = { import: (path: string) => ({ error: `${path} is not imported` }) };
  const { contracts } = readerOutput.parse(JSON.parse(solc.compile(JSON.stringify(input), resolve)));
  const code = contracts[readerEntry].OwnersOf.evm.bytecode.object;
  return `// Written by contracts/compile.ts.\nexport const ownersOfBytecode =\n  '0x${code}';\n`;
}

/** A module with only the creation code. Functions that deploy collections do not need the rest of the artifact. */
export function bytecodeModule({ bytecode }: Pick<CollectionArtifact, 'bytecode'>): string {
  return `// Written by contracts/compile.ts.\nexport const collectionBytecode =\n  '${bytecode}';\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const artifact = compileCollection();
  writeFileSync(artifactUrl, `${JSON.stringify(artifact, null, 2)}\n`);
  writeFileSync(bytecodeUrl, bytecodeModule(artifact));
  writeFileSync(readerUrl, ownersOfModule());
}
