import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assignSigner } from '../../../operator/nft/signers/assign-signer.ts';
import { drainSigner } from '../../../operator/nft/signers/drain-signer.ts';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Signer } from '../../../shared/nft/ports/chain.ts';
import { applicationSigner, preferredSigners } from '../../../shared/nft/submit/application-signer.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { addressOfSigner, type SignerId } from '../../../shared/nft/transactions/entry.ts';
import { keyRing } from '../../../shared/nft/transactions/key-ring.ts';
import { hasUnfinishedWork } from '../../../shared/nft/waiter/ensure-waiter.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type {
  ApplicationRegistry,
  ApplicationSigners,
} from '../../../shared/platform/applications/ports/applications.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { type RpcFaultProxy, startRpcFaultProxy } from '../../support/nft/rpc-fault-proxy.ts';
import { startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let applications: ApplicationRegistry & ApplicationSigners;
let proxy: RpcFaultProxy;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  const { Applications } = await createTables(database, ['Applications'], 'signers');
  applications = dynamoDbApplications({ client: database.documents, tableName: Applications });
  proxy = await startRpcFaultProxy({ target: 'http://127.0.0.1:1', seed: 1, faults: {} });
  world = await startWorld({
    database,
    signers: 3,
    applications,
    urls: (anvil) => {
      proxy.setTarget(anvil.url);
      return [proxy.url];
    },
    replaceAfterMilliseconds: 1_000,
  });
});

afterAll(async () => {
  await world.stop();
  await proxy.stop();
  await database.stop();
});

let made = 0;

/** Registers a new application that prefers this signer. */
const anApplicationFor = async (preferred: SignerId): Promise<Application> => {
  for (;;) {
    made += 1;
    const id = `application-${made}`;
    const [first] = preferredSigners(
      id,
      world.signerIds.map((signer) => ({ id: signer })),
    );
    if (first?.id !== preferred) continue;
    const limits = { contractsPerDay: 1_000, mintsPerDay: 100_000 };
    const { version: _, ...fields } = anApplication({ id, apiKeyIds: [], clientIds: [], limits });
    return applications.create(fields);
  }
};

const signerAt = (index: number): SignerId => {
  const id = world.signerIds[index];
  if (id === undefined) throw new Error(`There is no signer ${index}`);
  return id;
};

/** Reads the application as it is stored now. */
const current = async ({ id }: Application): Promise<Application> => {
  const found = await applications.find(id);
  if (found === undefined) throw new Error(`There is no application ${id}`);
  return found;
};

const unwell = (signer: Signer): Signer => {
  const refuse = async (): Promise<never> => {
    throw new ChainUnavailableError({ message: 'KMS is away' });
  };
  return { ...signer, address: refuse, sign: refuse };
};

describe('a stage with three signers', () => {
  it("keeps the signer of an application's first collection for its later ones", async () => {
    const application = await anApplicationFor(signerAt(1));

    const deployed = await Promise.all(Array.from({ length: 5 }, () => world.deploy({ application })));

    expect(deployed.map(({ signer }) => signer)).toEqual(Array(5).fill(signerAt(1)));
    expect(await current(application)).toMatchObject({ signer: signerAt(1) });
    await world.untilFinal();
  });

  it('delays only the transactions of a signer whose broadcasts do not get through', async () => {
    const all = await Promise.all(world.signerIds.map(anApplicationFor));
    const contracts = await Promise.all(all.map((application) => world.deploy({ application })));
    expect(contracts.map(({ signer }) => signer)).toEqual(world.signerIds);
    await world.untilFinal();
    proxy.holdBack(addressOfSigner(signerAt(0)));

    const minted: Nft[][] = await Promise.all(
      contracts.map(({ address: contract }, index) =>
        Promise.all(
          Array.from({ length: 5 }, (_, key) =>
            world.mint({ contract, key: `${index}.${key}`, application: all[index] as Application }),
          ),
        ),
      ),
    );
    const late = await world.deploy({ application: all[0] as Application });

    await waitFor(
      async () => {
        await world.watch();
        const waiting = (await world.ports.signers.list()).filter(hasUnfinishedWork).map(({ id }) => id);
        expect(waiting).toEqual([signerAt(0)]);
      },
      { interval: 200 },
    );
    const statuses = await Promise.all(
      minted.map((nfts) => Promise.all(nfts.map(async (nft) => (await world.ports.nfts.find(nft))?.status))),
    );
    expect(statuses).toEqual([
      Array(5).fill('pending'),
      Array(5).fill('confirmed'),
      Array(5).fill('confirmed'),
    ]);
    expect(late.signer).toBe(signerAt(0));

    const waiting = await current(all[0] as Application);
    await assignSigner(
      { ...world.submitDependencies(), applications },
      { applicationId: waiting.id, from: waiting.signer, to: signerAt(1) },
    );
    const moved = await world.deploy({ application: await current(waiting), key: 'moved' });
    expect(moved.signer).toBe(signerAt(1));
    await waitFor(
      async () => {
        await world.watch();
        expect(await world.ports.contracts.find(moved)).toMatchObject({ status: 'confirmed' });
      },
      { interval: 200 },
    );
    expect(await world.ports.contracts.find(late)).toMatchObject({ status: 'pending' });

    proxy.holdBack(undefined);
    await world.untilFinal();
    for (const [index, contract] of contracts.entries()) {
      await expectInvariants(world, {
        contract,
        application: all[index] as Application,
        promised: (minted[index] ?? []).map((nft, key) => ({ nft, key: `${index}.${key}` })),
      });
    }
    expect(await world.ports.contracts.find(late)).toMatchObject({ status: 'confirmed' });
  });

  it("rejects the calls of applications whose signer's key does not answer", async () => {
    const [its, others] = await Promise.all([anApplicationFor(signerAt(0)), anApplicationFor(signerAt(1))]);
    const contract = await world.deploy({ application: its });
    const without = { ...world.ports, signer: unwell(world.ports.signer) };

    const assigned = await current(its);
    const refused = { code: 'CHAIN_UNAVAILABLE', headers: { 'retry-after': expect.any(String) } };
    await expect(world.deploy({ application: assigned, ports: without })).rejects.toMatchObject(refused);
    await expect(
      world.mint({ application: its, contract: contract.address, ports: without }),
    ).rejects.toMatchObject(refused);
    const other = await world.deploy({ application: others, ports: without });

    expect(await current(its)).toEqual(assigned);
    expect(other.signer).toBe(signerAt(1));
    expect((await world.deploy({ application: its })).signer).toBe(signerAt(0));
    await world.untilFinal();
  });

  it('gives new collections to other signers while a signer is drained, which keeps its old ones', async () => {
    const application = await anApplicationFor(signerAt(2));
    const before = await world.deploy({ application });
    const stale = await current(application);
    const drain = { ...world.ports, ...world.submitDependencies(), signers: world.ports.signers };

    await drainSigner(drain, signerAt(2));
    const after = await world.deploy({ application: stale });
    const newcomer = await world.deploy({ application: await anApplicationFor(signerAt(2)) });
    const nft = await world.mint({ contract: before.address, key: 'drained', application });
    await world.untilFinal();

    expect(before.signer).toBe(signerAt(2));
    expect(after.signer).not.toBe(signerAt(2));
    expect(newcomer.signer).not.toBe(signerAt(2));
    expect(await current(application)).toMatchObject({ signer: after.signer });
    await expectInvariants(world, { contract: before, application, promised: [{ nft, key: 'drained' }] });
    await expect(
      assignSigner(
        { applications, signers: world.ports.signers },
        {
          applicationId: application.id,
          from: after.signer,
          to: signerAt(2),
        },
      ),
    ).rejects.toThrow('resume it first');

    await world.ports.signers.setDraining({ id: signerAt(2), isDraining: false });
    expect((await world.deploy({ application: await current(application) })).signer).toBe(after.signer);
    await assignSigner(
      { applications, signers: world.ports.signers },
      { applicationId: application.id, from: after.signer, to: signerAt(2) },
    );
    expect((await world.deploy({ application: await current(application) })).signer).toBe(signerAt(2));
    await world.untilFinal();
  });

  it('rejects new collections while all signers are drained', async () => {
    const application = await anApplicationFor(signerAt(0));
    const signers = {
      find: async (id: SignerId) => {
        const state = await world.ports.signers.find(id);
        return state && { ...state, isDraining: true };
      },
    };

    const choice = applicationSigner({ ...world.submitDependencies(), applications, signers }, application);

    await expect(choice).rejects.toThrow('No signer accepts new collections');
    expect(await current(application)).toEqual(application);
  });

  it('gives a fourth signer its share of new applications, and no application that has a signer', async () => {
    const settled = await Promise.all(world.signerIds.map(anApplicationFor));
    await Promise.all(settled.map((application) => world.deploy({ application })));
    const fourth = localSigner({ privateKey: `0x${'4'.repeat(64)}`, number: 4 });
    const three = await world.submitDependencies().keys.list();
    const keys = keyRing([...three.map(({ signer }) => signer), fourth]);
    const dependencies = { keys, applications, signers: world.ports.signers };

    const chosen = await Promise.all(
      settled.map(
        async (application) => (await applicationSigner(dependencies, await current(application))).id,
      ),
    );
    const [, , , added] = await keys.list();
    const ids = (await keys.list()).map(({ id }) => ({ id }));
    const preferences = Array.from({ length: 400 }, (_, index) => {
      const [with4] = preferredSigners(`customer-${index}`, ids);
      const [with3] = preferredSigners(`customer-${index}`, ids.slice(0, 3));
      return { with4: with4?.id, with3: with3?.id };
    });

    expect(chosen).toEqual(world.signerIds);
    expect(preferences.filter(({ with4 }) => with4 === added?.id).length).toBeGreaterThan(50);
    expect(preferences.every(({ with4, with3 }) => with4 === added?.id || with4 === with3)).toBe(true);
    await world.untilFinal();
  });
});

describe('the signer of an application', () => {
  it('is the same for concurrent requests that each choose one', async () => {
    const application = await anApplicationFor(signerAt(0));
    const { keys, signers } = world.submitDependencies();
    const known = await keys.list();
    /** Each caller sees only one signer, and each a different one, so their choices differ. */
    const choosing = known.map((only) => ({
      applications,
      signers,
      keys: { find: keys.find, list: async () => [only] },
    }));

    const chosen = await Promise.all(choosing.map((each) => applicationSigner(each, application)));

    expect(new Set(chosen.map(({ id }) => id)).size).toBe(1);
    expect(await current(application)).toMatchObject({ signer: chosen[0]?.id, version: 2 });
  });

  it('is kept when an operator saves an application that was read before the signer was chosen', async () => {
    const application = await anApplicationFor(signerAt(0));
    await applications.assignSigner({ applicationId: application.id, from: undefined, to: signerAt(1) });

    await expect(applications.save({ ...application, name: 'Renamed' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });

    await applications.save({ ...(await current(application)), name: 'Renamed' });
    expect(await current(application)).toMatchObject({ name: 'Renamed', signer: signerAt(1) });
  });

  it('causes rejections while the stage lacks its key, and changes once it is drained', async () => {
    const lost: SignerId = '31337#0x00000000000000000000000000000000000000bb';
    const application = { ...(await anApplicationFor(signerAt(0))), signer: lost };
    await applications.assignSigner({ applicationId: application.id, from: undefined, to: lost });
    const dependencies = { ...world.submitDependencies(), applications, signers: world.ports.signers };

    await expect(applicationSigner(dependencies, application)).rejects.toThrow('the stage has no key');
    await drainSigner({ ...world.ports, ...world.submitDependencies(), signers: world.ports.signers }, lost);

    expect((await applicationSigner(dependencies, application)).id).toBe(signerAt(0));
  });
});
